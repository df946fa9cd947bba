import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { StartError } from "../../domain/start-error.ts";

/** The absolute paths of the PEM files of certificate and key. */
export interface PairFiles {
  readonly cert: string;
  readonly key: string;
}

/** The content of both files. */
export interface TlsPair {
  readonly cert: string;
  readonly key: string;
}

/** Reads both files. Throws `StartError` when one is unreadable or invalid, or when they do not belong together. */
export function readPair({ cert, key }: PairFiles): TlsPair {
  const pair = { cert: readText("--tls-cert", cert), key: readText("--tls-key", key) };
  const certificate = certificateIn(pair.cert, cert);
  if (!certificate.checkPrivateKey(keyIn(pair.key, key))) {
    throw new StartError(
      `the key in ${key} does not match the certificate in ${cert}`,
      `openssl x509 -noout -pubkey -in ${cert}; openssl pkey -pubout -in ${key}`,
    );
  }
  return pair;
}

/** Returns a text that changes with either file; undefined while one cannot be read. */
export function fileVersionOf({ cert, key }: PairFiles): string | undefined {
  try {
    return [cert, key]
      .map((file) => statSync(file))
      .map(({ ino, mtimeMs, size }) => `${ino} ${mtimeMs} ${size}`)
      .join(", ");
  } catch {
    return undefined;
  }
}

/** Returns why the certificate is not valid at `now`; undefined while it is. */
export function validityProblem({ cert }: TlsPair, now: Date): string | undefined {
  const { validFrom, validTo } = new X509Certificate(cert);
  if (new Date(validTo) <= now) return `it expired on ${validTo}`;
  return new Date(validFrom) > now ? `it is not valid before ${validFrom}` : undefined;
}

function readText(flag: string, file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch (error) {
    throw new StartError(`cannot read the file of ${flag}: ${(error as Error).message}`, `ls -l ${file}`, {
      cause: error,
    });
  }
}

function certificateIn(text: string, file: string): X509Certificate {
  try {
    return new X509Certificate(text);
  } catch (error) {
    throw new StartError(`${file} contains no PEM certificate`, `openssl x509 -text -noout -in ${file}`, {
      cause: error,
    });
  }
}

function keyIn(text: string, file: string) {
  if (/ENCRYPTED/.test(text)) {
    throw new StartError(
      `the key in ${file} is encrypted; Outpost needs one without a passphrase`,
      `openssl pkey -in ${file} -out server.key && chmod 600 server.key`,
    );
  }
  try {
    return createPrivateKey(text);
  } catch (error) {
    throw new StartError(`${file} contains no PEM private key`, `openssl pkey -text -noout -in ${file}`, {
      cause: error,
    });
  }
}
