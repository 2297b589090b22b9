// A self-signed X.509 certificate generated on demand (RFC 5280), so that the repository contains
// no key.

import { generateKeyPairSync, randomBytes, sign } from "node:crypto";

const SEQUENCE = 0x30;
const SET = 0x31;
const INTEGER = 0x02;
const BIT_STRING = 0x03;
const OCTET_STRING = 0x04;
const OBJECT_ID = 0x06;
const UTF8 = 0x0c;
const GENERALIZED_TIME = 0x18;
const CONTEXT_0 = 0xa0;
const CONTEXT_3 = 0xa3;

const ECDSA_WITH_SHA256 = Buffer.from("2a8648ce3d040302", "hex");
const COMMON_NAME = Buffer.from("550403", "hex");
const SUBJECT_ALTERNATIVE_NAME = Buffer.from("551d11", "hex");

/**
 * Creates a key and a self-signed certificate for localhost and 127.0.0.1, valid between the two
 * dates. PEM.
 */
export function createCertificate({ from, until }: { from: Date; until: Date }): {
  key: string;
  cert: string;
} {
  const { publicKey, privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
  const algorithm = node(SEQUENCE, node(OBJECT_ID, ECDSA_WITH_SHA256));
  const name = node(
    SEQUENCE,
    node(SET, node(SEQUENCE, node(OBJECT_ID, COMMON_NAME), node(UTF8, Buffer.from("localhost")))),
  );
  const alternatives = node(
    SEQUENCE,
    node(0x82, Buffer.from("localhost")),
    node(0x87, Buffer.from([127, 0, 0, 1])),
  );
  const serial = randomBytes(8);
  serial[0] = ((serial[0] ?? 0) & 0x7f) | 0x40;
  const content = node(
    SEQUENCE,
    node(CONTEXT_0, node(INTEGER, Buffer.from([2]))),
    node(INTEGER, serial),
    algorithm,
    name,
    node(SEQUENCE, time(from), time(until)),
    name,
    publicKey.export({ type: "spki", format: "der" }),
    node(
      CONTEXT_3,
      node(
        SEQUENCE,
        node(SEQUENCE, node(OBJECT_ID, SUBJECT_ALTERNATIVE_NAME), node(OCTET_STRING, alternatives)),
      ),
    ),
  );
  const signature = sign("sha256", content, privateKey);
  const certificate = node(
    SEQUENCE,
    content,
    algorithm,
    node(BIT_STRING, Buffer.from([0]), signature),
  );
  return {
    key: privateKey.export({ type: "pkcs8", format: "pem" }) as string,
    cert: toPem(certificate),
  };
}

/** One DER element: tag, length, contents (X.690 §8.1). */
function node(tag: number, ...contents: readonly Uint8Array[]): Buffer {
  const body = Buffer.concat(contents);
  const { length } = body;
  const size =
    length < 128 ? [length] : length < 256 ? [0x81, length] : [0x82, length >> 8, length & 0xff];
  return Buffer.concat([Buffer.from([tag, ...size]), body]);
}

function time(date: Date): Buffer {
  return node(
    GENERALIZED_TIME,
    Buffer.from(`${date.toISOString().replace(/[-:T]|\.\d+Z$/g, "")}Z`),
  );
}

function toPem(der: Buffer): string {
  const lines = der.toString("base64").match(/.{1,64}/g) ?? [];
  return `-----BEGIN CERTIFICATE-----\n${lines.join("\n")}\n-----END CERTIFICATE-----\n`;
}
