import { describe, expect, it } from "vitest";
import { toLines } from "../formats/change-tracking/lines.ts";
import { learnNoise, removeNoise } from "./noise.ts";
import { threadCpuMs } from "../../test/cpu-time.ts";

const page = (...lines: string[]): string =>
  ["# Town", "The market opens at nine.", ...lines, "Imprint and privacy"].join("\n\n");
const left = (text: string, texts: readonly string[]): string[] =>
  removeNoise(toLines(text), learnNoise(texts)).map((line) => line.text);

describe("noise of a page", () => {
  it("learns the words of a line that differ at every fetch", () => {
    const texts = ["Visitors online: 7", "Visitors online: 12", "Visitors online: 9"].map((line) =>
      page(line),
    );
    expect(learnNoise(texts)).toEqual([{ kind: "line", words: ["Visitors", "online:", null] }]);
    expect(left(page("Visitors online: 99", "Closed today"), texts)).toEqual([
      "# Town",
      "The market opens at nine.",
      "Closed today",
      "Imprint and privacy",
    ]);
  });

  it("learns a block by the lines around it when its lines have nothing in common", () => {
    const texts = ["A ferry leaves", "Bread is cheap today", "Concert in the square tonight"].map(
      (line) => page(line),
    );
    expect(learnNoise(texts)).toMatchObject([{ kind: "region" }]);
    expect(left(page("Something else again"), texts)).not.toContain("Something else again");
  });

  it("learns a text that disappears and returns", () => {
    expect(
      learnNoise([page("Layout one"), page("Another design"), page("Layout one")]),
    ).toHaveLength(1);
  });

  it("does not learn an edit that is made between two fetches and stays", () => {
    expect(learnNoise([page("Open"), page("Closed"), page("Closed")])).toEqual([]);
    expect(learnNoise([page("Open"), page("Closed"), page("Closed"), page("Closed")])).toEqual([]);
  });

  it("learns nothing from texts that have nothing in common", () => {
    expect(learnNoise(["a\nb\nc", "d\ne\nf", "g\nh\ni"])).toEqual([]);
    expect(learnNoise([page("x")])).toEqual([]);
  });

  it("stays fast on ten thousand different lines", () => {
    const texts = [1, 2, 3].map((seed) =>
      Array.from({ length: 10_000 }, (_, index) => `line ${index * seed} of fetch ${seed}`).join(
        "\n",
      ),
    );
    const began = threadCpuMs();
    learnNoise(texts);
    expect(threadCpuMs() - began).toBeLessThan(3_000);
  });
});
