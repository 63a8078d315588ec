/* What is neither C11 nor POSIX: compiler attributes, each with a plain fallback. */
#ifndef TSR_BASE_COMPILER_H
#define TSR_BASE_COMPILER_H

#if defined(__GNUC__) || defined(__clang__)
#define TSR_PRINTF(fmt, args) __attribute__((format(printf, fmt, args)))
#define TSR_COLD              __attribute__((cold))
#define TSR_LIKELY(x)         __builtin_expect(!!(x), 1)
#define TSR_UNLIKELY(x)       __builtin_expect(!!(x), 0)
#define TSR_UNUSED            __attribute__((unused))
#define TSR_MAY_ALIAS         __attribute__((may_alias)) /* memory that holds words of several types */
#else
#define TSR_PRINTF(fmt, args)
#define TSR_COLD
#define TSR_LIKELY(x)   (x)
#define TSR_UNLIKELY(x) (x)
#define TSR_UNUSED
#define TSR_MAY_ALIAS
#endif

/* A function marked so may use 8-wide fused multiply-add; call it only where TSR_CPU_HAS_FMA() holds. */
#if (defined(__GNUC__) || defined(__clang__)) && defined(__x86_64__)
#define TSR_TARGET_FMA    __attribute__((target("avx2,fma")))
#define TSR_CPU_HAS_FMA() (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define TSR_TARGET_FMA
#define TSR_CPU_HAS_FMA() 0
#endif
#if defined(__GNUC__) || defined(__clang__)
#define TSR_ALWAYS_INLINE inline __attribute__((always_inline))
#else
#define TSR_ALWAYS_INLINE inline
#endif

#define TSR_COUNT_OF(a) (sizeof(a) / sizeof((a)[0]))

#endif
