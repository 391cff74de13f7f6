#pragma once
// Which mutant is on, and operators that ask. tools/mutate writes them in the place of those of src/core.

#include <cstdint>
#include <string_view>

namespace pagestorm::mutant {

/// The number of the mutant that is on, from 1; 0 = none.
inline int active = 0;

/// In a survey, by number of a mutant: whether its expression would have had another value somewhere. Else null.
inline unsigned char* survey = nullptr;

inline bool is_on(int number) { return active == number; }

inline void note(int number, bool differs) {
  if (survey != nullptr && differs) survey[number] = 1;
}

/// `value`, or one of its neighbours. Each of `shifts` is a mutant, numbered from `first`.
template <class T, class... Shift>
T constant(int first, T value, Shift... shifts) {
  const int all[] = {shifts...};
  for (int i = 0; i < static_cast<int>(sizeof...(Shift)); ++i) {
    note(first + i, true);
    if (is_on(first + i)) return static_cast<T>(value + static_cast<T>(all[i]));
  }
  return value;
}

inline bool flag(int number, bool value) {
  note(number, true);
  return value != is_on(number);
}
inline bool negation(int number, bool value) {
  note(number, true);
  return is_on(number) ? value : !value;
}

/// The smaller of two, or the larger; and the other way round.
template <bool smaller, class T>
T bound(int number, T a, T b) {
  note(number, a != b);
  return (b < a) == (smaller != is_on(number)) ? b : a;
}

// What divides by zero has another value, and must not be asked for it in a survey.
#define PAGESTORM_NOTE(number, right, wrong)                                 \
  if (survey != nullptr) {                                                   \
    if constexpr (std::string_view(#wrong) == "/")                           \
      note(number, b == 0 || static_cast<Result>(a wrong b) != (a right b)); \
    else                                                                     \
      note(number, static_cast<Result>(a wrong b) != (a right b));           \
  }

/// Where an operator has one mutant, and where it has two.
#define PAGESTORM_SWAP(name, right, wrong)                                     \
  template <class A, class B>                                                  \
  auto name(int number, A a, B b) {                                            \
    using Result = decltype(a right b);                                        \
    PAGESTORM_NOTE(number, right, wrong)                                       \
    return is_on(number) ? static_cast<Result>(a wrong b) : Result(a right b); \
  }
#define PAGESTORM_SWAP_2(name, right, wrong, other)            \
  template <class A, class B>                                  \
  auto name(int first, A a, B b) {                             \
    using Result = decltype(a right b);                        \
    PAGESTORM_NOTE(first, right, wrong)                        \
    PAGESTORM_NOTE(first + 1, right, other)                    \
    return is_on(first)       ? static_cast<Result>(a wrong b) \
           : is_on(first + 1) ? static_cast<Result>(a other b) \
                              : Result(a right b);             \
  }

PAGESTORM_SWAP(plus, +, -)
PAGESTORM_SWAP(minus, -, +)
PAGESTORM_SWAP_2(times, *, /, +)
PAGESTORM_SWAP(over, /, *)
PAGESTORM_SWAP_2(modulo, %, /, *)
PAGESTORM_SWAP(defined_left, <<, >>)
PAGESTORM_SWAP(defined_right, >>, <<)
PAGESTORM_SWAP(bit_and, &, |)
PAGESTORM_SWAP(bit_or, |, &)
PAGESTORM_SWAP_2(less, <, <=, >=)
PAGESTORM_SWAP_2(at_most, <=, <, >)
PAGESTORM_SWAP_2(greater, >, >=, <=)
PAGESTORM_SWAP_2(at_least, >=, >, <)
PAGESTORM_SWAP(equal, ==, !=)
PAGESTORM_SWAP(differs, !=, ==)

#undef PAGESTORM_SWAP
#undef PAGESTORM_SWAP_2
#undef PAGESTORM_NOTE

/// A shift that the language leaves undefined is a crash.
template <class A, class B>
auto left(int number, A a, B b) {
  if (b < 0 || b >= static_cast<B>(8 * sizeof(a << b))) __builtin_trap();
  return defined_left(number, a, b);
}
template <class A, class B>
auto right(int number, A a, B b) {
  if (b < 0 || b >= static_cast<B>(8 * sizeof(a >> b))) __builtin_trap();
  return defined_right(number, a, b);
}

/// `b` is asked only where its value matters; a survey does not ask for it where only the mutant would.
template <class B>
bool both(int number, bool a, B b) {
  if (survey != nullptr) {
    const bool right = a && b();
    note(number, !right);
    return right;
  }
  return is_on(number) ? a || b() : a && b();
}
template <class B>
bool either(int number, bool a, B b) {
  if (survey != nullptr) {
    const bool right = a || b();
    note(number, right);
    return right;
  }
  return is_on(number) ? a && b() : a || b();
}

template <class A, class B>
void add_to(int number, A& a, B b) {
  note(number, true);
  is_on(number) ? a -= b : a += b;
}
template <class A, class B>
void take_from(int number, A& a, B b) {
  note(number, true);
  is_on(number) ? a += b : a -= b;
}
template <class A, class B>
void or_into(int number, A& a, B b) {
  note(number, true);
  is_on(number) ? a &= b : a |= b;
}
template <class A, class B>
void and_into(int number, A& a, B b) {
  note(number, true);
  is_on(number) ? a |= b : a &= b;
}
template <class A>
void increment(int number, A& a) {
  note(number, true);
  is_on(number) ? --a : ++a;
}
template <class A>
void decrement(int number, A& a) {
  note(number, true);
  is_on(number) ? ++a : --a;
}

}  // namespace pagestorm::mutant
