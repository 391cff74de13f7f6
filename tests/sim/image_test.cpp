#include "sim/image.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

namespace pagestorm::sim {
namespace {

// A table of 2 rows by 3 columns, SWA, room for all write slots: 2 requests of 12 + 2 + 1 + 4 tokens.
Config small() {
  Config config = {
      .page_size = 4, .context = 12, .requests = 2, .pages = 8, .swa = true, .draft_tokens = 1, .draft_steps = 1};
  return config;
}

ImageLayout layout_of(const Config& config) {
  ImageLayout layout;
  layout.lay_out(config);
  return layout;
}

constexpr Part all_parts[] = {Part::status,         Part::cache_seqlens, Part::cu_seqlens_q,     Part::cu_seqlens_k,
                              Part::swa_page_table, Part::page_table,    Part::swa_out_cache_loc};

TEST(ImageLayout, PlacesPartsInOrderWithFencesAround) {
  const ImageLayout layout = layout_of(small());
  EXPECT_EQ(layout.section(Part::status).first, 64);
  EXPECT_EQ(layout.section(Part::cache_seqlens).first, 130);
  EXPECT_EQ(layout.section(Part::cu_seqlens_q).first, 196);
  EXPECT_EQ(layout.section(Part::cu_seqlens_k).first, 264);
  EXPECT_EQ(layout.section(Part::swa_page_table).first, 332);
  EXPECT_EQ(layout.section(Part::page_table).first, 402);
  EXPECT_EQ(layout.section(Part::swa_out_cache_loc).first, 472);
  EXPECT_EQ(layout.section(Part::swa_out_cache_loc).cols, 38);
  EXPECT_EQ(layout.words(), 472 + 2 * 38 + 64);
  EXPECT_EQ(layout.below(), 0);
}

TEST(ImageLayout, KeepsAFenceBetweenAnyTwoPartsInEveryLayout) {
  for (const std::int64_t stride : {1, 2, 3, 4})
    for (const bool swa : {false, true}) {
      Config config = small();
      config.swa = swa;
      config.buckets = {1, 7};
      config.layout.output_stride = config.layout.table_stride = config.layout.swa_table_stride = stride;
      config.layout.table_padding = 5;
      config.layout.swa_table_padding = 9;
      config.layout.write_room = 11;
      const ImageLayout layout = layout_of(config);
      std::int64_t end = 0;
      for (const Part part : all_parts) {
        const Section& section = layout.section(part);
        if (section.rows == 0) continue;
        EXPECT_GE(section.first, end + ImageLayout::fence) << name_of(part);
        EXPECT_EQ(section.first % 2, 0) << name_of(part);
        end = section.last();
      }
      EXPECT_GE(layout.words(), end + ImageLayout::fence);
      EXPECT_EQ(layout.section(Part::page_table).rows, 7);
    }
}

TEST(ImageLayout, ReservesRoomWhereA32BitOffsetWouldLand) {
  Config config = small();
  config.layout.far = Far::page_table;
  const ImageLayout layout = layout_of(config);
  EXPECT_EQ(layout.below(), std::int64_t{1} << 31);
  EXPECT_GT(2 * layout.section(Part::page_table).row_stride, std::int64_t{1} << 31);
  EXPECT_EQ(layout.section(Part::swa_page_table).row_stride, 3);
  EXPECT_FALSE(layout.sweeps());
}

TEST(ImageLayout, NamesThePlaceOfAWordOfEveryPart) {
  const ImageLayout layout = layout_of(small());
  EXPECT_EQ(layout.locate(64).text, "status, element 0");
  EXPECT_EQ(layout.locate(131).text, "cache_seqlens, element 1");
  EXPECT_EQ(layout.locate(198).text, "cu_seqlens_q, element 2");
  EXPECT_EQ(layout.locate(264).text, "cu_seqlens_k, element 0");
  EXPECT_EQ(layout.locate(332 + 4).text, "swa_page_table, row 1, column 1");
  EXPECT_EQ(layout.locate(402 + 2).text, "page_table, row 0, column 2");
  EXPECT_EQ(layout.locate(472 + 7).text, "swa_out_cache_loc, element 3");
}

TEST(ImageLayout, KnowsPartRowAndColumnOfEveryCell) {
  Config config = small();
  config.layout.table_stride = 2;
  config.layout.table_padding = 3;
  config.layout.output_stride = 3;
  const ImageLayout layout = layout_of(config);
  for (const Part part : all_parts) {
    const Section& section = layout.section(part);
    for (std::int64_t r = 0; r < section.rows; ++r)
      for (std::int64_t c = 0; c < section.cols; ++c) {
        const Place place = layout.locate(section.at(r, c));
        EXPECT_EQ(place.part, part);
        EXPECT_EQ(place.row, r);
        EXPECT_EQ(place.column, c);
      }
  }
}

TEST(ImageLayout, NamesThePlaceOfAWordOutsideEveryPart) {
  const ImageLayout layout = layout_of(small());
  EXPECT_EQ(layout.locate(0).text, "word 0 before the first output");
  EXPECT_EQ(layout.locate(-5).text, "word -5 before the first output");
  EXPECT_EQ(layout.locate(402 + 6 + 3).text, "the fence, word 4 after page_table");
  EXPECT_EQ(layout.locate(402 + 6 + 3).part, Part::fence);
  Config padded = small();
  padded.layout.table_padding = 5;
  EXPECT_EQ(layout_of(padded).locate(402 + 3).text, "the padding after row 0 of page_table");
  EXPECT_EQ(layout_of(padded).locate(402 + 3).part, Part::fence);
}

TEST(ImageLayout, BindsTheViewsOfACall) {
  Config config = small();
  config.layout.output_stride = 3;
  config.layout.table_stride = 2;
  config.layout.swa_table_padding = 4;
  const ImageLayout layout = layout_of(config);
  std::vector<std::int32_t> memory(static_cast<std::size_t>(layout.words()));
  const Metadata out = layout.bind(reinterpret_cast<std::byte*>(memory.data()), {.rows = 1, .write_slots = 5});
  const auto word = [&](const void* at) { return static_cast<const std::int32_t*>(at) - memory.data(); };
  EXPECT_EQ(word(out.status), layout.section(Part::status).first);
  EXPECT_EQ(word(out.cache_seqlens.data), layout.section(Part::cache_seqlens).first);
  EXPECT_EQ(out.cache_seqlens.size, 1);
  EXPECT_EQ(out.cache_seqlens.stride, 3);
  EXPECT_EQ(word(out.cu_seqlens_q.data), layout.section(Part::cu_seqlens_q).first);
  EXPECT_EQ(out.cu_seqlens_q.size, 2);
  EXPECT_EQ(word(out.cu_seqlens_k.data), layout.section(Part::cu_seqlens_k).first);
  EXPECT_EQ(word(out.page_table.data), layout.section(Part::page_table).first);
  EXPECT_EQ(out.page_table.rows, 1);
  EXPECT_EQ(out.page_table.cols, 3);
  EXPECT_EQ(out.page_table.row_stride, 6);
  EXPECT_EQ(out.page_table.col_stride, 2);
  EXPECT_EQ(word(out.swa_page_table.data), layout.section(Part::swa_page_table).first);
  EXPECT_EQ(out.swa_page_table.row_stride, 7);
  EXPECT_EQ(word(out.swa_out_cache_loc.data), layout.section(Part::swa_out_cache_loc).first);
  EXPECT_EQ(out.swa_out_cache_loc.size, 5);
  EXPECT_EQ(out.swa_out_cache_loc.stride, 3);
}

TEST(ImageLayout, BindsNoSwaOutputsWithoutSwa) {
  Config config = small();
  config.swa = false;
  const ImageLayout layout = layout_of(config);
  std::vector<std::int32_t> memory(static_cast<std::size_t>(layout.words()));
  const Metadata out = layout.bind(reinterpret_cast<std::byte*>(memory.data()), {.rows = 2});
  EXPECT_EQ(out.swa_page_table.data, nullptr);
  EXPECT_EQ(out.swa_out_cache_loc.data, nullptr);
  EXPECT_EQ(out.swa_out_cache_loc.size, 0);
}

TEST(Image, IsPoisonedInTheZoneOnlyAndItsStatusIsCleared) {
  const ImageLayout layout = layout_of(small());
  Image image;
  image.prepare(layout);
  std::fill(image.words(), image.words() + layout.words(), 7);
  constexpr std::int32_t poison = 0x09090909;
  const std::vector<Range> zone = {{60, 70}, {400, 402}};
  image.poison(layout, zone, poison);
  EXPECT_EQ(image.words()[59], 7);
  EXPECT_EQ(image.words()[60], poison);
  EXPECT_EQ(image.words()[64], 0);
  EXPECT_EQ(image.words()[69], poison);
  EXPECT_EQ(image.words()[70], 7);
  EXPECT_EQ(image.words()[401], poison);
  EXPECT_EQ(image.words()[402], 7);
}

TEST(Image, HasMemoryForTheWholeLayout) {
  const ImageLayout layout = layout_of(small());
  Image image;
  image.prepare(layout);
  EXPECT_EQ(image.region().above, layout.words() * 4);
  EXPECT_EQ(image.region().below, 0);
}

}  // namespace
}  // namespace pagestorm::sim
