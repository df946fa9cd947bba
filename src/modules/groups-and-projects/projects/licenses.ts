/** The licenses that are told apart by the text of a file. */

import type { Static } from "@sinclair/typebox";
import type { License } from "./schema.ts";

interface KnownLicense {
  readonly license: Static<typeof License>;
  /** Words that the beginning of the text has. */
  readonly title?: readonly string[];
  /** Words that the text has anywhere. */
  readonly marks?: readonly string[];
}

/** Characters of a text in which its title is. */
const titleLength = 100;

function known(key: string, name: string, nickname: string | null, source_url: string): Static<typeof License> {
  return { key, name, nickname, html_url: `http://choosealicense.com/licenses/${key}/`, source_url };
}

const gnu = (path: string) => `https://www.gnu.org/licenses/${path}.txt`;
const redistribution = "redistribution and use in source and binary forms";

/** In this order: the text of one may name others. */
const licenses: readonly KnownLicense[] = [
  {
    license: known("agpl-3.0", "GNU Affero General Public License v3.0", "GNU AGPLv3", gnu("agpl-3.0")),
    title: ["gnu affero general public license", "version 3"],
  },
  {
    license: known("lgpl-3.0", "GNU Lesser General Public License v3.0", "GNU LGPLv3", gnu("lgpl-3.0")),
    title: ["gnu lesser general public license", "version 3"],
  },
  {
    license: known("lgpl-2.1", "GNU Lesser General Public License v2.1", "GNU LGPLv2.1", gnu("old-licenses/lgpl-2.1")),
    title: ["gnu lesser general public license", "version 2.1"],
  },
  {
    license: known("gpl-3.0", "GNU General Public License v3.0", "GNU GPLv3", gnu("gpl-3.0")),
    title: ["gnu general public license", "version 3"],
  },
  {
    license: known("gpl-2.0", "GNU General Public License v2.0", "GNU GPLv2", gnu("old-licenses/gpl-2.0")),
    title: ["gnu general public license", "version 2"],
  },
  {
    license: known("apache-2.0", "Apache License 2.0", null, "https://www.apache.org/licenses/LICENSE-2.0.html"),
    title: ["apache license", "version 2.0"],
  },
  {
    license: known("mpl-2.0", "Mozilla Public License 2.0", null, "https://www.mozilla.org/media/MPL/2.0/index.txt"),
    title: ["mozilla public license", "version 2.0"],
  },
  {
    license: known("mit", "MIT License", null, "https://opensource.org/licenses/MIT"),
    marks: ["permission is hereby granted, free of charge, to any person obtaining a copy", "without restriction"],
  },
  {
    license: known("isc", "ISC License", null, "https://opensource.org/licenses/ISC"),
    marks: ["permission to use, copy, modify, and/or distribute this software for any purpose with or without fee"],
  },
  {
    license: known(
      "bsd-3-clause",
      'BSD 3-Clause "New" or "Revised" License',
      null,
      "https://opensource.org/licenses/BSD-3-Clause",
    ),
    marks: [redistribution, "neither the name of"],
  },
  {
    license: known(
      "bsd-2-clause",
      'BSD 2-Clause "Simplified" License',
      null,
      "https://opensource.org/licenses/BSD-2-Clause",
    ),
    marks: [redistribution],
  },
  {
    license: known("unlicense", "The Unlicense", null, "https://unlicense.org/UNLICENSE"),
    marks: ["this is free and unencumbered software released into the public domain"],
  },
  {
    license: known(
      "cc0-1.0",
      "Creative Commons Zero v1.0 Universal",
      null,
      "https://creativecommons.org/publicdomain/zero/1.0/",
    ),
    marks: ["cc0 1.0 universal"],
  },
];

const other: Static<typeof License> = { key: "other", name: "Other", nickname: null, html_url: null, source_url: null };

/** The license that a text is; `other` for one that is not known. */
export function licenseOfText(text: string): Static<typeof License> {
  const plain = text.toLowerCase().split(/\s+/).filter(Boolean).join(" ");
  const title = plain.slice(0, titleLength);
  const found = licenses.find(
    (each) =>
      (each.title ?? []).every((words) => title.includes(words)) &&
      (each.marks ?? []).every((words) => plain.includes(words)),
  );
  return found?.license ?? other;
}
