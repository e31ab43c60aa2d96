// The one function of bcryptprimitives.dll that programs made by Rust call, for wines that have no such library.

#include <stddef.h>

// Fills `bytes` with `count` random ones; another library's, which is older.
__declspec(dllimport) unsigned char __stdcall SystemFunction036(void *bytes, unsigned long count);

__declspec(dllexport) int __stdcall ProcessPrng(unsigned char *bytes, size_t count) {
    return SystemFunction036(bytes, (unsigned long)count);
}
