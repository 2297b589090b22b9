// The same multiplication in a feed, which is parsed in the server instead of a child process.
import { buildFileBomb } from "../../families/file-bomb.ts";
import { LAUGHS } from "../../laughs.ts";

export const fileXmlEntities = buildFileBomb({
  name: "file-xml-entities",
  attack: "a feed with entities that multiply",
  type: "application/rss+xml",
  build: () =>
    Buffer.from(
      `<?xml version="1.0"?>${LAUGHS}<rss version="2.0"><channel><title>&l12;</title></channel></rss>`,
    ),
});
