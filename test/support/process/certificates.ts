import { mkdir, rename, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createKeys, signCertificate } from "../../../src/server/listeners/certificate.ts";

/** A certificate for this machine that signs itself, with its key, both PEM. */
export interface TestPair {
  readonly cert: string;
  readonly key: string;
}

export async function makePair(commonName: string): Promise<TestPair> {
  const keys = await createKeys();
  const names = ["localhost", "127.0.0.1"];
  const request = { commonName, isAuthority: false, names, from: new Date(Date.now() - 86_400_000), days: 30, keys };
  const [certificate, key] = await Promise.all([
    signCertificate(request, { commonName, keys }),
    crypto.subtle.exportKey("pkcs8", keys.privateKey),
  ]);
  return { cert: pem("CERTIFICATE", certificate), key: pem("PRIVATE KEY", key) };
}

/** Puts both where a server looks for them, each at once, and returns the flags that name them. */
export async function placePair(folder: string, { cert, key }: TestPair): Promise<readonly string[]> {
  await mkdir(folder, { recursive: true });
  const [certFile, keyFile] = [join(folder, "server.pem"), join(folder, "server.key")];
  for (const [file, text] of [
    [certFile, cert],
    [keyFile, key],
  ] as const) {
    await writeFile(`${file}.new`, text, { mode: 0o600 });
    await rename(`${file}.new`, file);
  }
  return ["--tls-cert", certFile, "--tls-key", keyFile];
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}
