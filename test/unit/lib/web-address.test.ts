import { expect, test } from "bun:test";
import { withoutUserinfo } from "../../../src/lib/web-address.ts";

test.each([
  ["https://git.example/x.git", "https://git.example/x.git"],
  ["https://git.example/@scope/x?a=b@c", "https://git.example/@scope/x?a=b@c"],
  ["https://alice:secret@git.example/x.git", "https://git.example/x.git"],
  ["https://alice:se@cret@git.example:8443/x.git?a=1#b", "https://git.example:8443/x.git?a=1#b"],
  ["https://alice@git.example/x.git", "https://git.example/x.git"],
  ["https://:secret@git.example/x.git", "https://git.example/x.git"],
  [" https:\\\\alice:secret@git.example\\x.git", "https://git.example/x.git"],
  ["https:alice:secret@git.example/x.git", "https://git.example/x.git"],
  ["ssh://git:secret@git.example/x.git", "ssh://git.example/x.git"],
  ["https://alice:sec/ret@git.example/x.git", "https://git.example/x.git"],
  ["alice:secret@git.example/x.git", "git.example/x.git"],
  ["git@git.example:x.git", "git.example:x.git"],
  ["no address", "no address"],
  ["", ""],
])("%s becomes %s", (address, clean) => {
  expect(withoutUserinfo(address)).toBe(clean);
});
