// Self-signed certificates for tests, generated on demand (X.509, RFC 5280), so that the repository
// contains no key.
import { generateKeyPairSync, sign } from "node:crypto";

const der = (tag: number, ...parts: Uint8Array[]): Buffer => {
  const content = Buffer.concat(parts);
  const length =
    content.length < 128
      ? Buffer.of(content.length)
      : content.length < 256
        ? Buffer.of(0x81, content.length)
        : Buffer.of(0x82, content.length >> 8, content.length & 255);
  return Buffer.concat([Buffer.of(tag), length, content]);
};
const sequence = (...parts: Uint8Array[]): Buffer => der(0x30, ...parts);
const ECDSA_SHA256 = sequence(der(0x06, Buffer.from("2a8648ce3d040302", "hex")));
/** UTCTime, required before 2050 (RFC 5280, 4.1.2.5); browsers insist on it. */
const time = (date: Date): Buffer =>
  der(0x17, Buffer.from(`${date.toISOString().replaceAll(/[-:T]/g, "").slice(2, 14)}Z`));
const commonName = (name: string): Buffer =>
  sequence(
    der(0x31, sequence(der(0x06, Buffer.from("550403", "hex")), der(0x0c, Buffer.from(name)))),
  );

/**
 * Builds a certificate for the DNS names with its key, both PEM; by default valid for a day around
 * now.
 */
export function buildCertificate(
  names: readonly string[],
  validity: { from?: Date; to?: Date } = {},
): { key: string; cert: string } {
  const { privateKey, publicKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const { from = new Date(Date.now() - 43_200_000), to = new Date(Date.now() + 43_200_000) } =
    validity;
  const alternatives = sequence(...names.map((name) => der(0x82, Buffer.from(name))));
  const extension = sequence(der(0x06, Buffer.from("551d11", "hex")), der(0x04, alternatives));
  const body = sequence(
    der(0xa0, der(0x02, Buffer.of(2))),
    der(0x02, Buffer.of(1)),
    ECDSA_SHA256,
    commonName(names[0] ?? "test"),
    sequence(time(from), time(to)),
    commonName(names[0] ?? "test"),
    publicKey.export({ type: "spki", format: "der" }),
    der(0xa3, sequence(extension)),
  );
  const signature = der(0x03, Buffer.of(0), sign("sha256", body, privateKey));
  const whole = sequence(body, ECDSA_SHA256, signature).toString("base64");
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }).toString(),
    cert: `-----BEGIN CERTIFICATE-----\n${whole}\n-----END CERTIFICATE-----\n`,
  };
}
