"""What pip asks the build system of nanoarrow before it saves the source distribution: see fetch.sh."""

import os
import pathlib


def prepare_metadata_for_build_wheel(folder, config_settings=None):
    version = os.environ["NANOARROW"]
    name = f"nanoarrow-{version}.dist-info"
    metadata = pathlib.Path(folder, name, "METADATA")
    metadata.parent.mkdir()
    metadata.write_text(f"Metadata-Version: 2.1\nName: nanoarrow\nVersion: {version}\n")
    return name
