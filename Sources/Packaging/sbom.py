#!/usr/bin/env python3
"""sbom.py VERSION PROGRAM: the software bill of materials of the program, SPDX 2.3 in JSON.

Packages of Swift come from Package.resolved, libraries of Debian from dpkg. A package without a known
licence ends the build, so none is left out.
"""

import datetime
import hashlib
import json
import os
import pathlib
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
SWIFT = "Apache-2.0 WITH Swift-exception"
# By the identities of Package.resolved. swift-log is only in programs that use our libraries.
LICENCES = {
    "grdb.swift": "MIT",
    "swift-argument-parser": SWIFT,
    "swift-atomics": SWIFT,
    "swift-collections": SWIFT,
    "swift-nio": "Apache-2.0",
    "swift-system": SWIFT,
    "yams": "MIT",
}
NOT_IN_THE_PROGRAM = {"swift-log", "swift-docc-plugin", "swift-docc-symbolkit"}
# Libraries of Debian that are linked in, by the package that has them.
LINKED = {"libsqlite3-dev": ("sqlite3", "blessing"), "libminizip-dev": ("minizip", "Zlib")}
# What lies in the repository or comes with the compiler: name, version, licence, origin.
OTHERS = [
    ("nanoarrow", "0.9.0", "Apache-2.0", "https://github.com/apache/arrow-nanoarrow"),
    ("flatcc", "0.6.1", "Apache-2.0", "https://github.com/dvidelabs/flatcc"),
    ("leaflet", "1.7.1", "BSD-2-Clause", "https://leafletjs.com"),
    ("libyaml", "NOASSERTION", "MIT", "https://github.com/yaml/libyaml"),
    ("icu", "76", "Unicode-3.0", "https://icu.unicode.org"),
    ("geonames", "NOASSERTION", "CC-BY-4.0", "https://www.geonames.org"),
    ("natural-earth", "NOASSERTION", "LicenseRef-public-domain", "https://www.naturalearthdata.com"),
]


def output(*command):
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.strip()


def swift_packages():
    pins = json.loads((ROOT / "Package.resolved").read_text())["pins"]
    for pin in sorted(pins, key=lambda pin: pin["identity"]):
        name = pin["identity"]
        if name in NOT_IN_THE_PROGRAM:
            continue
        if name not in LICENCES:
            sys.exit(f"sbom.py: {name} has no licence here; add it, and to NOTICE")
        state = pin["state"]
        origin = f"git+{pin['location']}@{state['revision']}"
        yield name, state.get("version", "NOASSERTION"), LICENCES[name], origin


def debian_packages():
    for package, (name, licence) in sorted(LINKED.items()):
        version = output("dpkg-query", "-W", "-f", "${Version}", package)
        yield name, version, licence, "https://packages.debian.org/" + package


def compiler():
    version = output("swift", "--version").split("Swift version ")[1].split(" ")[0]
    yield "swift", version, SWIFT, "https://www.swift.org"


def package(name, version, licence, origin, **more):
    entry = {
        "name": name,
        "SPDXID": f"SPDXRef-{name.replace('.', '-')}",
        "downloadLocation": origin,
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }
    if version != "NOASSERTION":
        entry["versionInfo"] = version
    return entry | more


def main(version, program):
    digest = hashlib.sha256(pathlib.Path(program).read_bytes()).hexdigest()
    parts = [*compiler(), *swift_packages(), *debian_packages(), *OTHERS]
    waymark = package(
        "waymark", version, "Apache-2.0", "NOASSERTION",
        checksums=[{"algorithm": "SHA256", "checksumValue": digest}])
    epoch = int(os.environ["SOURCE_DATE_EPOCH"])
    created = datetime.datetime.fromtimestamp(epoch, datetime.timezone.utc)
    document = {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"waymark-{version}",
        "documentNamespace": f"https://spdx.org/spdxdocs/waymark-{version}-{digest}",
        "creationInfo": {
            "created": created.strftime("%Y-%m-%dT%H:%M:%SZ"),
            "creators": ["Tool: Packaging/sbom.py"],
        },
        "packages": [waymark] + [package(*part) for part in parts],
        "hasExtractedLicensingInfos": [
            {"licenseId": "LicenseRef-public-domain", "extractedText": "In the public domain."}
        ],
        "relationships": [
            {
                "spdxElementId": "SPDXRef-DOCUMENT",
                "relationshipType": "DESCRIBES",
                "relatedSpdxElement": "SPDXRef-waymark",
            }
        ]
        + [
            {
                "spdxElementId": "SPDXRef-waymark",
                "relationshipType": "CONTAINS",
                "relatedSpdxElement": package(*part)["SPDXID"],
            }
            for part in parts
        ],
    }
    json.dump(document, sys.stdout, indent=2, ensure_ascii=False)
    print()


main(*sys.argv[1:])
