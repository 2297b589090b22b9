import { describe, expect, it } from "vitest";
import { threadCpuMs } from "../../../test/cpu-time.ts";
import { extractTerms } from "../answer/terms.ts";
import { joinTopic, readTopic } from "./topic.ts";

const asked = "What does json.dumps do with indent?";
const { topic } = extractTerms(asked, undefined);
const page = (url: string, ...paragraphs: string[]) => ({
  url,
  title: url,
  markdown: paragraphs.join("\n\n"),
});

const manual = page(
  "https://docs.example/json",
  "# json",
  "## json.dumps",
  "With indent, dumps puts each member on a line of its own.",
  "Objects are written one after the other as they come.",
  "Nobody knows why the separators are as they are today.",
);
const other = page(
  "https://docs.example/stat",
  "# stat",
  "The flag says: do not copy the file, and does nothing else.",
  "Please do not mess up this text, which has its own indent.",
);

describe("topics", () => {
  it("excludes request words from the topic", () => {
    expect(topic).toEqual(["dumps", "indent"]);
  });

  it("picks passages with all words of the topic, not those with a common word only", () => {
    const { value } = joinTopic(
      [other, manual].map((each) => readTopic(each, topic)),
      topic,
    );
    const { passages } = (value as { dumpsIndent: { passages: { text: string }[] } }).dumpsIndent;
    expect(passages.map(({ text }) => text)[0]).toContain("With indent, dumps puts");
    expect(JSON.stringify(passages)).not.toContain("do not copy the file");
    expect(JSON.stringify(passages)).not.toContain("mess up this text");
  });

  it("ranks text above blocks that consist of links", () => {
    const offer = page(
      "https://shop.example/",
      "# Offer",
      "The price of the pot for tea is 34.90 in all our shops; a teapot comes with its lid.",
      "[Notice on the price of the teapot](/notice) [The teapot](/teapot)",
    );
    const { passages } = readTopic(offer, ["price", "teapot", "notice"]);
    const { value } = joinTopic([{ ...offer, passages, tables: [] }], ["teapot"]);
    expect(JSON.stringify(value)).toContain("34.90");
  });

  it("puts a definition under its term and drops the term alone", () => {
    const defined = page(
      "https://docs.example/terms",
      "# json",
      "**json.dumps(obj, \\*, indent=None)**\n**json.dump(obj)**",
      "Gives the text of an object; see the encoder for the rest.",
      "**Note that dumps and indent belong together.**",
    );
    const { passages } = readTopic(defined, topic);
    expect(passages.map(({ heading, text }) => [heading, text])).toEqual(
      expect.arrayContaining([
        ["json: json.dumps(obj, *, indent=None)", expect.stringContaining("Gives the text")],
        [expect.any(String), "**Note that dumps and indent belong together.**"],
      ]),
    );
    expect(passages).toHaveLength(2);
  });

  it("handles a page of empty lines in linear time", () => {
    const from = threadCpuMs();
    const empty = page(
      "https://docs.example/empty",
      `indent${"\n".repeat(200_000)}indent of dumps`,
    );
    expect(readTopic(empty, topic).passages).toHaveLength(1);
    expect(threadCpuMs() - from).toBeLessThan(1_000);
  });
});
