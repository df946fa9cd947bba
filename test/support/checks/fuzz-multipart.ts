import type { FuzzValues, Value } from "./fuzz-values.ts";

const mark = "--x-fuzz";
const types = [
  "image/png",
  "text/plain; charset=utf-16",
  "multipart/mixed; boundary=x-fuzz",
  "/",
  "a/b;".repeat(2_000),
];
const dispositions = ["form-data", "attachment", "FORM-DATA", "", "form-data; form-data", ";".repeat(3_000)];
const otherHeaders = [
  ...["Content-Transfer-Encoding: base64", "Content-Length: 999999", "Content-Disposition: form-data; name=other"],
  ...[": no name", "no colon", " folded: line", "X-Nul: \0", `X-Long: ${"y".repeat(20_000)}`, "X: y\r\n".repeat(40)],
];
/** Their normalization takes a time that grows with the square of the length. */
const combining = (length: number) => `a${"\u0315".repeat(length)}${"\u0300".repeat(length)}`;
const filenames = [
  ...["a.png", "../../etc/passwd", "C:\\a\\b.png", ".", "..", ".htaccess", 'a"b', "a\\", "a;b=c", "a\r\nX: y", ""],
  ...[combining(400), combining(30_000), "n".repeat(1_025), "/".repeat(50_000), "🙂".repeat(600)],
];

/** A multipart body of members. A wild one has parts of any order, number, name, file name, type and headers. */
export function multipartText(
  values: FuzzValues,
  members: readonly (readonly [string, Value])[],
  isWild: boolean,
): string {
  const pairs = members.flatMap(([name, { form }]) =>
    form.map(([suffix, text]) => [`${name}${suffix}`, text] as const),
  );
  const inOrder = pairs.map(([name, text]) => partText(values, name, text, isWild));
  if (!isWild) return `${inOrder.join("")}${mark}--\r\n`;
  const parts = shuffled(values, inOrder);
  if (values.chance(0.2)) parts.push(...parts);
  if (values.chance(0.02)) parts.push((parts[0] ?? `${mark}\r\n\r\n\r\n`).repeat(values.integer(2, 300)));
  const end = values.pick([`${mark}--\r\n`, `${mark}--`, "", `${mark}\r\n`, `${mark}--\r\nmore`]);
  return `${values.pick(["", "\r\n", "before"])}${parts.join("")}${end}`;
}

function partText(values: FuzzValues, name: string, text: string, isWild: boolean): string {
  if (!isWild || values.chance(0.4)) {
    const filename = values.chance(0.05) ? `; filename="${values.nastyText()}"` : "";
    return whole([`Content-Disposition: form-data; name="${name}"${filename}`], text);
  }
  const shownName = values.chance(0.8) ? name : values.pick([values.nastyText(), "n".repeat(1_025), combining(9_000)]);
  const filename = values.chance(0.5) ? values.pick(filenames) : values.nastyText();
  const attributes = [
    `name=${values.chance(0.9) ? `"${shownName}"` : shownName}`,
    ...(values.chance(0.6) ? [`filename="${filename}"`] : []),
    ...(values.chance(0.1) ? [`filename*=UTF-8''${encodeURIComponent(filename.toWellFormed())}`] : []),
  ];
  if (values.chance(0.1)) attributes.reverse();
  const disposition = values.chance(0.9) ? "form-data" : values.pick(dispositions);
  const headers = [
    `Content-Disposition: ${[disposition, ...attributes].join("; ")}`,
    ...(values.chance(0.4) ? [`Content-Type: ${values.pick(types)}`] : []),
    ...(values.chance(0.2) ? [values.pick(otherHeaders)] : []),
  ];
  return whole(values.chance(0.2) ? headers.toReversed() : headers, text);
}

function whole(headers: readonly string[], text: string): string {
  return `${mark}\r\n${headers.join("\r\n")}\r\n\r\n${text}\r\n`;
}

function shuffled<T>(values: FuzzValues, items: readonly T[]): T[] {
  const keyed = items.map((item) => ({ item, key: values.fraction() }));
  return keyed.sort((one, other) => one.key - other.key).map(({ item }) => item);
}
