// Holds the precompiled headers of all tests (CMakeLists.txt).
