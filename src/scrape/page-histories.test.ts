import { expect, it } from "vitest";
import { ANONYMOUS_IDENTITY } from "../account/identity.ts";
import { PageHistories } from "./page-histories.ts";

const openHistories = (urls: readonly string[]): PageHistories =>
  new PageHistories(async () => ({
    changeHistories: {
      list: async () => urls.map((url) => ({ key: url, url, tag: null, versions: [] })),
      find: async () => undefined,
    },
  }));

it("lists a history whose address cannot be parsed", async () => {
  const histories = openHistories(["report.pdf", "https://a.example/", "https://b.example/"]);
  const list = async (allowHosts?: readonly string[]) =>
    (await histories.list({ ...ANONYMOUS_IDENTITY, allowHosts }, { limit: 50 })).histories.map(
      ({ url }) => url,
    );
  expect(await list()).toHaveLength(3);
  expect(await list(["a.example"])).toEqual(["report.pdf", "https://a.example/"]);
});
