"""What users and programs do to an inbox (in_inbox.py, kinds_of_files.py), an outbox (in_outbox.py), and a daemon
(with_daemon.py).

Each operation is a function; its parameters say what a random one is done to (`Chooser`): `file` is a regular file of the inbox,
`name` any name there. An operation that is impossible, because an earlier one was left out or the daemon moved the file, does
nothing, or raises OSError.
"""

#: Operations that the present program does not survive, or that the comparison does not follow, with a reason each.
NOT_YET = {
    "close_folder": "photos that were read while their folder was closed stay failed",
    "damage_sticker": "a sticker that was changed in place is neither made again nor replaced in stickers.zip",
    "exchange": "of two photos that are exchanged in their pack, one may keep its former name",
    "export_palettes": "palettes of photos that are gone stay",
    "link_folder": "the comparison does not follow the names of photos that move to a pack that kept their stickers",
    "lose_last": "palette and thumbnail stay when a sticker that has no photo is deleted while no daemon runs",
    "lose_list": "without its files.txt, an export that is switched off keeps its archive",
    "move_again": "a photo that is moved before and after a kill -9 may leave its sticker in its first pack",
    "move_removed": "a removal moves along to a pack that has the sticker, and lists it as removed beside it",
    "rename_over": "a failed photo that is renamed over another one stays in the index of its former pack",
    "rename_to_former": "a photo with a name that another one had is taken for a copy; its sticker keeps its name",
    "rewrite": "as touch",
    "touch": "a photo that is moved before it is read again doubles its sticker",
}
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
