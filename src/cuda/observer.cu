#include "observer.hpp"

#include <cuda_runtime_api.h>
#include <dlfcn.h>

#include <algorithm>
#include <array>
#include <memory>
#include <utility>
#include <vector>

#include "pagestorm/api_calls.hpp"
#include "pagestorm/builder.hpp"

#if __has_include(<cupti.h>)
#include <cupti.h>

namespace pagestorm::cuda {
namespace {

/// The library of CUDA 13 is libcupti.so.13; an older one calls back with other data.
void* load(const std::string& library) {
  const std::string versioned = "libcupti.so." + std::to_string(CUDART_VERSION / 1000);
  const std::string toolkit = "/usr/local/cuda/";
  std::vector<std::string> names = {library};
  if (library.empty()) names = {versioned, toolkit + "lib64/" + versioned, toolkit + "extras/CUPTI/lib64/" + versioned};
  std::string tried;
  for (const std::string& name : names) {
    if (void* loaded = dlopen(name.c_str(), RTLD_NOW | RTLD_LOCAL); loaded != nullptr) return loaded;
    tried += (tried.empty() ? "" : ", ") + name;
  }
  throw BuilderError("CUPTI cannot be loaded (tried " + tried + "); name its file with --cupti");
}

/// CUPTI's functions by name: nothing links to it.
struct Cupti {
  explicit Cupti(const std::string& library) : handle(load(library)) {
    subscribe = find<decltype(&cuptiSubscribe)>("cuptiSubscribe");
    unsubscribe = find<decltype(&cuptiUnsubscribe)>("cuptiUnsubscribe");
    enable_domain = find<decltype(&cuptiEnableDomain)>("cuptiEnableDomain");
    result_string = find<decltype(&cuptiGetResultString)>("cuptiGetResultString");
  }

  template <class Function>
  Function find(const char* name) const {
    void* found = dlsym(handle, name);
    if (found == nullptr)
      throw BuilderError(std::string("CUPTI has no function ") + name + "; use that of this toolkit");
    return reinterpret_cast<Function>(found);
  }

  void check(CUptiResult result, const char* call) const {
    if (result == CUPTI_SUCCESS) return;
    const char* text = nullptr;
    static_cast<void>(result_string(result, &text));
    throw BuilderError(std::string(call) + ": " + (text == nullptr ? std::to_string(result) : text));
  }

  void* handle;  ///< never closed: CUPTI stays in the process
  decltype(&cuptiSubscribe) subscribe = nullptr;
  decltype(&cuptiUnsubscribe) unsubscribe = nullptr;
  decltype(&cuptiEnableDomain) enable_domain = nullptr;
  decltype(&cuptiGetResultString) result_string = nullptr;
};

constexpr CUpti_CallbackDomain domains[] = {CUPTI_CB_DOMAIN_RUNTIME_API, CUPTI_CB_DOMAIN_DRIVER_API};

bool is_pageable(const void* pointer) {
  cudaPointerAttributes attributes{};
  const cudaError_t error = cudaPointerGetAttributes(&attributes, pointer);
  static_cast<void>(cudaGetLastError());
  return error == cudaSuccess && attributes.type == cudaMemoryTypeUnregistered;
}

}  // namespace

struct Observer::Seen {
  explicit Seen(const std::string& library) : cupti(library) {}
  ~Seen() {
    if (subscriber != nullptr) static_cast<void>(cupti.unsubscribe(subscriber));
  }
  Seen(const Seen&) = delete;
  Seen& operator=(const Seen&) = delete;

  void enter(const CUpti_CallbackData& call);
  void leave();

  Cupti cupti;
  CUpti_SubscriberHandle subscriber = nullptr;
  bool looking = false;
  ApiCalls calls;
  std::string name;                                     ///< of what made it so
  std::array<const void*, 2> ends = {};                 ///< of a copy
  std::vector<std::array<const void*, 2>> copied = {};  ///< to look at when nobody observes
  CallCounts counts;
};

namespace {

/// The callback's data are ours. It calls nothing of CUDA.
template <class Seen>
void CUPTIAPI callback(void* user, CUpti_CallbackDomain domain, CUpti_CallbackId, const void* data) {
  auto& seen = *static_cast<Seen*>(user);
  if (!seen.looking || (domain != domains[0] && domain != domains[1])) return;
  const auto& call = *static_cast<const CUpti_CallbackData*>(data);
  if (call.callbackSite == CUPTI_API_ENTER)
    seen.enter(call);
  else
    seen.leave();
}

}  // namespace

/// All asynchronous copies of api_call_of() begin their parameters with a destination and a source.
void Observer::Seen::enter(const CUpti_CallbackData& call) {
  if (!calls.enter(call.functionName)) return;
  name = call.functionName;
  if (calls.heaviest() != ApiCall::copy) return;
  const auto* parameters = static_cast<const void* const*>(call.functionParams);
  ends = {parameters[0], parameters[1]};
}

void Observer::Seen::leave() {
  if (!calls.leave()) return;
  switch (calls.heaviest()) {
    case ApiCall::other: return;
    case ApiCall::launch: ++counts.launches; return;
    case ApiCall::copy:
      ++counts.copies;
      copied.push_back(ends);
      return;
    case ApiCall::allocation: ++counts.allocations; break;
    case ApiCall::host_sync: ++counts.host_syncs; break;
  }
  counts.named.insert(name);
}

Observer::Observer(const std::string& library) : seen_(std::make_unique<Seen>(library)) {
  const Cupti& cupti = seen_->cupti;
  cupti.check(cupti.subscribe(&seen_->subscriber, callback<Seen>, seen_.get()), "cuptiSubscribe");
  for (const CUpti_CallbackDomain domain : domains)
    cupti.check(cupti.enable_domain(1, seen_->subscriber, domain), "cuptiEnableDomain");
}

Observer::~Observer() = default;

void Observer::begin() {
  seen_->counts = {};
  seen_->copied.clear();
  seen_->calls = {};
  seen_->looking = true;
}

CallCounts Observer::end() {
  seen_->looking = false;
  CallCounts counts = std::exchange(seen_->counts, {});
  for (const auto& [to, from] : seen_->copied) {
    if (!is_pageable(to) && !is_pageable(from)) continue;
    ++counts.host_syncs;
    counts.named.insert("an asynchronous copy of pageable memory");
  }
  return counts;
}

}  // namespace pagestorm::cuda

#else  // a toolkit without CUPTI

namespace pagestorm::cuda {

struct Observer::Seen {};

Observer::Observer(const std::string&) {
  throw BuilderError("CUPTI was not there when this program was built; build it with a toolkit that has cupti.h");
}

Observer::~Observer() = default;

void Observer::begin() {}

CallCounts Observer::end() { return {}; }

}  // namespace pagestorm::cuda

#endif
