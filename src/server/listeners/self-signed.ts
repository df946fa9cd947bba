import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { chmodSync, mkdirSync, readFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { Config } from "../../config/config.ts";
import { StartError } from "../../domain/start-error.ts";
import { replaceFile, systemDisk } from "../../store/index.ts";
import type { Authority } from "./listener.ts";
import { ownTlsFolder } from "./local-ca.ts";
import type { TlsPair } from "./tls-pair.ts";

/** The name says that it is local: whoever has its key can impersonate any host to clients that trust it. */
const authorityName = "Outpost local authority";
const authorityDays = 3_650;
/** The longest validity that browsers accept. */
const serverDays = 397;
/** A start replaces a server certificate that expires within this time. */
const renewalMs = 30 * 86_400_000;
const wildcards = ["0.0.0.0", "::"];

interface Files {
  readonly authority: string;
  readonly authorityKey: string;
  readonly server: string;
  readonly serverKey: string;
}

/**
 * Returns a certificate for this machine's names, signed by the data folder's own authority. Makes both if they do not
 * exist, and reuses them at later starts. Makes a new certificate when the names have changed or the old one expires soon.
 * Throws `StartError` for unusable files.
 */
export async function prepareOwnPair(
  { dataFolder, host, externalUrl }: Config,
  now: Date,
): Promise<{ readonly pair: TlsPair; readonly authority: Authority }> {
  const folder = join(dataFolder, ownTlsFolder);
  const files: Files = {
    authority: "authority.pem",
    authorityKey: "authority.key",
    server: "server.pem",
    serverKey: "server.key",
  };
  const names = namesOf(host, externalUrl);
  try {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    const exists = [files.authority, files.authorityKey].every((name) => systemDisk.exists(join(folder, name)));
    if (!exists) await makeAuthority(folder, files, now);
    const isUsable = [files.server, files.serverKey].every((name) => systemDisk.exists(join(folder, name)));
    if (!isUsable || !isGood(folder, files, names, now)) await makeServer(folder, files, names, now);
    const read = (name: string) => readFileSync(join(folder, name), "utf8");
    const authority = new X509Certificate(read(files.authority));
    return {
      // The chain includes the authority, so that clients can show it.
      pair: { cert: read(files.server) + read(files.authority), key: read(files.serverKey) },
      authority: { file: join(folder, files.authority), fingerprint: authority.fingerprint256 },
    };
  } catch (error) {
    if (error instanceof StartError) throw error;
    const reason = error instanceof Error ? error.message : String(error);
    throw new StartError(`the certificates in ${folder} cannot be used: ${reason}`, `rm -r ${folder}`, {
      cause: error,
    });
  }
}

/** Returns the distinct names and addresses under which clients may call the server. */
function namesOf(host: string, externalUrl: string | undefined): readonly string[] {
  const outside = externalUrl === undefined ? undefined : new URL(externalUrl).hostname.replace(/^\[|\]$/g, "");
  const own = wildcards.includes(host) ? undefined : host;
  const names = ["localhost", "127.0.0.1", "::1", hostname(), own, outside];
  return [...new Set(names.filter((name) => name !== undefined && name !== ""))] as string[];
}

function isGood(folder: string, files: Files, names: readonly string[], now: Date): boolean {
  const [authority, server] = [files.authority, files.server].map(
    (name) => new X509Certificate(readFileSync(join(folder, name))),
  ) as [X509Certificate, X509Certificate];
  const key = createPrivateKey(readFileSync(join(folder, files.serverKey)));
  return (
    server.checkPrivateKey(key) &&
    server.verify(authority.publicKey) &&
    new Date(server.validTo).getTime() - now.getTime() > renewalMs &&
    names.every((name) => (/^[\d.]+$|:/.test(name) ? server.checkIP(name) : server.checkHost(name)) !== undefined)
  );
}

async function makeAuthority(folder: string, files: Files, now: Date): Promise<void> {
  const { createKeys, signCertificate } = await import("./certificate.ts");
  const keys = await createKeys();
  const issuer = { commonName: authorityName, keys };
  const request = { ...issuer, isAuthority: true, names: [], from: dayBefore(now), days: authorityDays };
  // Writes the key first: a certificate without a key would look like a complete authority.
  await writeKey(folder, files.authorityKey, keys.privateKey);
  write(folder, files.authority, pem("CERTIFICATE", await signCertificate(request, issuer)));
}

async function makeServer(folder: string, files: Files, names: readonly string[], now: Date): Promise<void> {
  const { createKeys, signCertificate } = await import("./certificate.ts");
  const keys = await createKeys();
  const authorityKeys = await readKeys(readFileSync(join(folder, files.authorityKey), "utf8"));
  const request = { commonName: "Outpost", keys, isAuthority: false, names, from: dayBefore(now), days: serverDays };
  const issuer = { commonName: authorityName, keys: authorityKeys };
  const certificate = await signCertificate(request, issuer);
  await writeKey(folder, files.serverKey, keys.privateKey);
  write(folder, files.server, pem("CERTIFICATE", certificate));
}

/** Returns both keys. The public key follows from the private one. */
async function readKeys(text: string): Promise<CryptoKeyPair> {
  const algorithm = { name: "ECDSA", namedCurve: "P-256" };
  const whole = createPrivateKey(text);
  const [pkcs8, spki] = [
    whole.export({ type: "pkcs8", format: "der" }),
    createPublicKey(whole).export({ type: "spki", format: "der" }),
  ];
  return {
    privateKey: await crypto.subtle.importKey("pkcs8", pkcs8, algorithm, true, ["sign"]),
    publicKey: await crypto.subtle.importKey("spki", spki, algorithm, true, ["verify"]),
  };
}

async function writeKey(folder: string, name: string, key: CryptoKey): Promise<void> {
  write(folder, name, pem("PRIVATE KEY", await crypto.subtle.exportKey("pkcs8", key)));
}

function write(folder: string, name: string, text: string): void {
  replaceFile(systemDisk, folder, name, new TextEncoder().encode(text));
  chmodSync(join(folder, name), 0o600);
}

function pem(label: string, der: ArrayBuffer): string {
  const lines =
    Buffer.from(der)
      .toString("base64")
      .match(/.{1,64}/g) ?? [];
  return `-----BEGIN ${label}-----\n${lines.join("\n")}\n-----END ${label}-----\n`;
}

/** Returns the day before, since clocks of clients may be slow. */
function dayBefore(now: Date): Date {
  return new Date(now.getTime() - 86_400_000);
}
