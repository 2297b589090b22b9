import { describe, expect, it } from "vitest";
import { type Color, parseColor, toHex } from "./color.ts";
import { Ballot } from "./votes.ts";

const color = (text: string): Color => {
  const found = parseColor(text);
  if (found === undefined) throw new Error(text);
  return found;
};

describe("Ballot", () => {
  it("counts similar colors as one, named by the heaviest", () => {
    const ballot = new Ballot();
    ballot.add(color("#ff0000"), 3, "button");
    ballot.add(color("#fe0101"), 2, "link");
    ballot.add(color("#0000ff"), 4, "bar");
    expect(ballot.count().map((one) => [toHex(one.color), one.weight])).toEqual([
      ["#FF0000", 5],
      ["#0000FF", 4],
    ]);
  });

  it("counts repeated votes of one reason once, plus a little for up to five repetitions", () => {
    const ballot = new Ballot();
    for (let times = 0; times < 50; times += 1) ballot.add(color("#00f"), 2, "link");
    expect(ballot.count()[0]?.weight).toBeCloseTo(3);
  });

  it("elects the same winner for any order of the votes", () => {
    const votes = ["#111111", "#eeeeee", "#777777"];
    const winners = [votes, votes.toReversed()].map((list) => {
      const ballot = new Ballot();
      for (const vote of list) ballot.add(color(vote), 1, "same");
      return ballot.count().map((one) => toHex(one.color));
    });
    expect(winners[0]).toEqual(winners[1]);
  });

  it("elects no winner without votes", () => {
    const ballot = new Ballot();
    ballot.add(undefined, 5, "nothing");
    ballot.add(color("red"), 0, "nothing");
    expect(ballot.findWinner()).toBeUndefined();
  });
});
