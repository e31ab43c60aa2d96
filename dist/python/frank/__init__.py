"""The program `frank`: where it is."""

from __future__ import annotations

import os
import sys
import sysconfig


def find_frank() -> str:
    """The path of the program that was installed with this package.

    Raises FileNotFoundError, which names the places that were looked at.
    """
    name = "frank" + (sysconfig.get_config_var("EXE") or "")
    # Of this environment; of the user, for `pip install --user`; beside the package, for `pip install --target`.
    user = "nt_user" if os.name == "nt" else "osx_framework_user" if sys.platform == "darwin" else "posix_user"
    beside = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    folders = [sysconfig.get_path("scripts"), os.path.join(beside, "bin")]
    if user in sysconfig.get_scheme_names():
        folders.append(sysconfig.get_path("scripts", scheme=user))
    places = [os.path.join(folder, name) for folder in folders]
    for place in places:
        if os.path.isfile(place):
            return place
    raise FileNotFoundError(f"there is no program frank in {' or '.join(places)}: install frank-tools again")
