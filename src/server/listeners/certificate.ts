import { BitString, Integer, OctetString, Utf8String } from "asn1js";
import {
  AttributeTypeAndValue,
  AuthorityKeyIdentifier,
  BasicConstraints,
  Certificate,
  CryptoEngine,
  Extension,
  ExtKeyUsage,
  GeneralName,
  GeneralNames,
  type ICryptoEngine,
  RelativeDistinguishedNames,
} from "pkijs";
import { parseIpAddress } from "../../lib/ip-address.ts";

/** The content of a certificate. An authority has no names. */
export interface CertificateRequest {
  readonly commonName: string;
  /** True when the certificate may sign others. */
  readonly isAuthority: boolean;
  /** Host names and IP addresses. */
  readonly names: readonly string[];
  readonly from: Date;
  readonly days: number;
  readonly keys: CryptoKeyPair;
}

/** The name and key of a certificate's signer. */
export interface Issuer {
  readonly commonName: string;
  readonly keys: CryptoKeyPair;
}

const oid = {
  commonName: "2.5.4.3",
  subjectKeyIdentifier: "2.5.29.14",
  keyUsage: "2.5.29.15",
  subjectAltName: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  authorityKeyIdentifier: "2.5.29.35",
  extKeyUsage: "2.5.29.37",
  serverAuth: "1.3.6.1.5.5.7.3.1",
};
/** The bits of the key usage, and the number of unused bits in their byte. */
const usages = { authority: [0x06, 1], server: [0x80, 7] } as const;
/** The type requires all methods of today's `SubtleCrypto`, of which this code uses none. */
const engine = new CryptoEngine({ name: "", crypto, subtle: crypto.subtle }) as unknown as ICryptoEngine;

export function createKeys(): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);
}

/** Returns a DER certificate. Without an issuer, it is a root authority. */
export async function signCertificate(
  { commonName, isAuthority, names, from, days, keys }: CertificateRequest,
  issuer: Issuer,
): Promise<ArrayBuffer> {
  const [keyId, issuerKeyId] = await Promise.all([identifierOf(keys), identifierOf(issuer.keys)]);
  const [bits, unusedBits] = isAuthority ? usages.authority : usages.server;
  const constraints = new BasicConstraints(isAuthority ? { cA: true, pathLenConstraint: 0 } : {});
  const usage = new BitString({ valueHex: new Uint8Array([bits]).buffer, unusedBits });
  const authority = new AuthorityKeyIdentifier({ keyIdentifier: new OctetString({ valueHex: issuerKeyId }) });
  const extensions = [
    extension(oid.basicConstraints, true, constraints.toSchema()),
    extension(oid.keyUsage, true, usage),
    extension(oid.subjectKeyIdentifier, false, new OctetString({ valueHex: keyId })),
    extension(oid.authorityKeyIdentifier, false, authority.toSchema()),
  ];
  if (!isAuthority) {
    const alternatives = new GeneralNames({ names: names.map(generalName) });
    extensions.push(
      extension(oid.subjectAltName, false, alternatives.toSchema()),
      extension(oid.extKeyUsage, false, new ExtKeyUsage({ keyPurposes: [oid.serverAuth] }).toSchema()),
    );
  }
  const certificate = new Certificate({ version: 2, serialNumber: randomSerial(), extensions });
  certificate.issuer = named(issuer.commonName);
  certificate.subject = named(commonName);
  certificate.notBefore.value = from;
  certificate.notAfter.value = new Date(from.getTime() + days * 86_400_000);
  await certificate.subjectPublicKeyInfo.importKey(keys.publicKey, engine);
  await certificate.sign(issuer.keys.privateKey, "SHA-256", engine);
  return certificate.toSchema(true).toBER(false);
}

function extension(extnID: string, critical: boolean, value: { toBER(sizeOnly: boolean): ArrayBuffer }): Extension {
  return new Extension({ extnID, critical, extnValue: value.toBER(false) });
}

function named(commonName: string): RelativeDistinguishedNames {
  const value = new Utf8String({ value: commonName });
  return new RelativeDistinguishedNames({
    typesAndValues: [new AttributeTypeAndValue({ type: oid.commonName, value })],
  });
}

/** Returns the SHA-1 of the public key, as in RFC 5280. */
async function identifierOf({ publicKey }: CryptoKeyPair): Promise<ArrayBuffer> {
  return crypto.subtle.digest("SHA-1", await crypto.subtle.exportKey("raw", publicKey));
}

/** Returns 16 random bytes, positive and without leading zeros. */
function randomSerial(): Integer {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[0] = ((bytes[0] ?? 0) & 0x3f) | 0x40;
  return new Integer({ valueHex: bytes.buffer });
}

const dnsName = 2;
const ipAddress = 7;

function generalName(name: string): GeneralName {
  const bytes = addressBytes(name);
  return bytes === undefined
    ? new GeneralName({ type: dnsName, value: name })
    : new GeneralName({ type: ipAddress, value: new OctetString({ valueHex: bytes }) });
}

/** Returns 4 or 16 bytes; undefined for a text that is no address. */
function addressBytes(name: string): ArrayBuffer | undefined {
  const number = parseIpAddress(name);
  if (number === undefined) return undefined;
  const hex = name.includes(":")
    ? number.toString(16).padStart(32, "0")
    : (number & 0xffff_ffffn).toString(16).padStart(8, "0");
  return Uint8Array.fromHex(hex).buffer;
}
