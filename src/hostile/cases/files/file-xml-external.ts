// An external entity names a file of the server (XXE).
import { buildFileBomb } from "../../families/file-bomb.ts";

export const fileXmlExternal = buildFileBomb({
  name: "file-xml-external",
  attack: "a feed that includes a file of the server",
  type: "application/rss+xml",
  build: () =>
    Buffer.from(
      `<?xml version="1.0"?><!DOCTYPE a [<!ENTITY f SYSTEM "file:///etc/passwd">]><rss version="2.0"><channel><title>&f;</title><item><title>&f;</title></item></channel></rss>`,
    ),
});
