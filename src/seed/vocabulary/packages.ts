import type { Topic } from "./topics.ts";

/** Returns the package file of a project's version. */
export function packageOf(
  topic: Topic,
  path: string,
  version: string,
): { readonly file: string; readonly text: string } {
  switch (topic) {
    case "firmware":
      return { file: `${path}-${version}.hex`, text: hexOf(version) };
    case "cloud":
      return { file: `${path}-${version}.toml`, text: `name = "${path}"\nversion = "${version}"\nworkers = 4\n` };
    case "data":
      return {
        file: `${path}-${version}.csv`,
        text: "id,name,offset\n1,Harbour,0.12\n2,Old town,-0.4\n3,Ridge,0.07\n",
      };
    default:
      return { file: `${path}-${version}.json`, text: `${JSON.stringify({ name: path, version }, null, 2)}\n` };
  }
}

/** Returns records of 16 bytes with checksums, as flash tools read them. */
function hexOf(version: string): string {
  const content = new TextEncoder().encode(`${version} `.repeat(64).slice(0, 256));
  const lines: string[] = [];
  for (let at = 0; at < content.length; at += 16) {
    const bytes = [16, at >> 8, at & 0xff, 0, ...content.subarray(at, at + 16)];
    const sum = -bytes.reduce((all, byte) => all + byte, 0) & 0xff;
    lines.push(`:${[...bytes, sum].map((byte) => byte.toString(16).padStart(2, "0").toUpperCase()).join("")}`);
  }
  return `${[...lines, ":00000001FF"].join("\n")}\n`;
}
