"""What users and programs do to an inbox (in_inbox.py, kinds_of_files.py), an outbox (in_outbox.py), and a daemon
(with_daemon.py).

Each operation is a function; its parameters say what a random one is done to (`Chooser`): `file` is a regular file of the inbox,
`name` any name there. An operation that is impossible, because an earlier one was left out or the daemon moved the file, does
nothing, or raises OSError.
"""

#: Operations after which this process could not read the files either.
NEED_ROOT = {"close_folder", "create_foreign", "open_folders", "protect", "unprotect"}
#: name -> (function, weight)
OPERATIONS = {}


def operation(weight):
    """Registers a function; another one of twice the weight is chosen twice as often."""
    def register(function):
        OPERATIONS[function.__name__] = function, weight
        return function
    return register
