import SystemPackage

/// A library that makes the codecs open a file at their first use, as some do on ARM: libjpeg once for each thread.
enum AskingLibrary {
    /// - Parameter file: to which each function writes its name, a line.
    static func source(asking file: FilePath) -> String { "#define ASKED \"\(file)\"\n" + functionsOnly }

    private static let functionsOnly = #"""
        #define _GNU_SOURCE
        #include <dlfcn.h>
        #include <fcntl.h>
        #include <string.h>
        #include <unistd.h>
        static void ask(const char *name) {
            int file = open(ASKED, O_WRONLY | O_CREAT | O_APPEND, 0600);
            write(file, name, strlen(name));
            close(file);
        }
        #define ASK_ONCE(storage, result, name, parameters, arguments) \
            result name parameters { \
                static storage int has_asked; \
                if (!has_asked++) ask(#name "\n"); \
                result (*next) parameters = (result (*) parameters)dlsym(RTLD_NEXT, #name); \
                return next arguments; \
            }
        ASK_ONCE(_Thread_local, int, jpeg_start_decompress, (void *job), (job))
        ASK_ONCE(, void, png_read_info, (void *job, void *info), (job, info))
        ASK_ONCE(, void *, libdeflate_alloc_compressor, (int level), (level))
        ASK_ONCE(, int, WebPEncode, (const void *config, void *picture), (config, picture))
        ASK_ONCE(, void *, WebPIDecode, (const void *bytes, size_t count, void *config), (bytes, count, config))

        """#
    /// The number of functions that ask.
    static let functions = 5
}
