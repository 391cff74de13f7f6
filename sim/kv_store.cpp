#include "kv_store.hpp"

#include <algorithm>
#include <numeric>

namespace pagestorm::sim {

void KvStore::start(const Config& config) {
  for (std::size_t which = 0; which < ids_.size(); ++which) {
    auto* ids = reinterpret_cast<std::uint64_t*>(ids_[which].base());
    for (const std::int32_t page : written_[which]) {
      std::fill_n(ids + page * page_size_, page_size_, poison);
      versions(which)[page] = 0;
    }
    written_[which].clear();
  }
  page_size_ = config.page_size;
  pages_ = {config.pages, config.swa ? config.swa_pages : 0};
  for (std::size_t which = 0; which < ids_.size(); ++which) {
    const std::int64_t pages = pages_[which % 2] + 1;
    ids_[which].reserve(0, pages * page_size_ * static_cast<std::int64_t>(sizeof(std::uint64_t)));
    versions_[which].reserve(0, pages * static_cast<std::int64_t>(sizeof(std::uint32_t)));
  }
}

void KvStore::touch(std::size_t which, std::int64_t page) {
  std::uint32_t& version = versions(which)[page];
  if (version++ == 0) written_[which].push_back(static_cast<std::int32_t>(page));
}

void KvStore::write(Model model, Pool pool, std::int64_t slot, std::uint64_t id) {
  at(model, pool)[slot] = id;
  touch(index(model, pool), slot / page_size_);
}

void KvStore::write(Model model, Pool pool, std::int64_t slot, const Content& content, std::int64_t position,
                    std::int64_t count) {
  std::uint64_t* to = at(model, pool) + slot;
  for (const std::int64_t end = position + count; position < end;) {
    const Content::Stretch tokens = content.stretch_at(position);
    const std::int64_t run = std::min(end, tokens.end) - position;
    if (tokens.base == unknown_base)
      std::fill_n(to, run, poison);
    else
      std::iota(to, to + run, tokens.base + static_cast<std::uint64_t>(position));
    to += run;
    position += run;
  }
  touch(index(model, pool), slot / page_size_);
}

void KvStore::forget(Pool pool, std::int64_t page) {
  for (const Model model : {Model::target, Model::draft}) {
    const std::size_t which = index(model, pool);
    if (versions(which)[page] == 0) continue;
    std::fill_n(at(model, pool) + page * page_size_, page_size_, poison);
    touch(which, page);
  }
}

}  // namespace pagestorm::sim
