import { expect, test } from "bun:test";
import { rename, rm, symlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { fileVersionOf } from "../../../src/server/listeners/tls-pair.ts";
import { createTempFolder } from "../../support/process/temp-folder.ts";

test("the version of files changes when they are written, renamed or replaced by a link, and is absent while they cannot be read", async () => {
  await using folder = await createTempFolder();
  const [cert, key, next] = ["cert.pem", "key.pem", "next"].map((name) => join(folder.path, name)) as [
    string,
    string,
    string,
  ];
  const stamps = new Set<string | undefined>();
  const look = () => stamps.add(fileVersionOf({ cert, key })).size;
  expect(look()).toBe(1);
  await writeFile(cert, "certificate");
  expect(look()).toBe(1);
  await writeFile(key, "key");
  expect(look()).toBe(2);
  await writeFile(key, "a longer key");
  expect(look()).toBe(3);
  await writeFile(next, "certificate");
  await rename(next, cert);
  expect(look()).toBe(4);
  await writeFile(join(folder.path, "renewed.pem"), "certificate");
  await symlink("renewed.pem", next);
  await rename(next, cert);
  expect(look()).toBe(5);
  expect(fileVersionOf({ cert, key })).toBe(fileVersionOf({ cert, key }) as string);
  for (const leadsNowhere of ["gone.pem", "cert.pem", join("key.pem", "below")]) {
    await rm(cert);
    await symlink(leadsNowhere, cert);
    expect(fileVersionOf({ cert, key })).toBeUndefined();
  }
});
