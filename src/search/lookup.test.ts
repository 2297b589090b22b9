import { expect, it } from "vitest";
import { toLookup } from "./lookup.ts";

const lookUp = (language: string) =>
  toLookup(
    { query: "houses", includeDomains: [], excludeDomains: [], categories: [], language },
    [],
  );

it("toLookup stems words by the language of a tag and ignores an unknown language", async () => {
  expect((await lookUp("en-GB"))?.words).toEqual(["houses", "hous"]);
  for (const language of ["constructor", "toString", "__proto__", "xx", ""])
    expect((await lookUp(language))?.words).toEqual(["houses"]);
});
