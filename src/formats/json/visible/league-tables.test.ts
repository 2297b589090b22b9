import { describe, expect, it } from "vitest";
import {
  INTEGER,
  pageOf,
  readRows,
  STRING,
  tableOf,
} from "../../../../test/understanding/schema-pages.ts";

const TEAM = {
  rank: INTEGER,
  team: STRING,
  team_url: { type: "string", format: "uri" },
  played: INTEGER,
  won: INTEGER,
  drawn: INTEGER,
  lost: INTEGER,
  goals_for: INTEGER,
  goals_against: INTEGER,
  goal_difference: INTEGER,
  points: INTEGER,
};
const link = (name: string): string => `<a href="/${name.toLowerCase()}">${name}</a>`;

describe("league tables", () => {
  it.each([
    ["de", "# | Mannschaft | Sp. | S | U | N | Tore | Diff. | Pkt."],
    ["fr", "# | Équipe | J | G | N | P | Buts | Diff. | Pts"],
    ["sv", "# | Lag | S | V | O | F | Mål | Målskillnad | P"],
    ["pt", "# | Equipa | J | V | E | D | Golos | Saldo | P"],
    ["pl", "# | Drużyna | M | Z | R | P | Bramki | Bilans bramek | Pkt"],
  ])("are read by the letters over their columns (%s)", (lang, heads) => {
    const html = pageOf(
      lang,
      `<h1>Liga</h1>${tableOf(
        heads.split(" | "),
        ["1", link("Arle"), "8", "6", "1", "1", "21:9", "+12", "19"],
        ["2", link("Bexum"), "8", "4", "3", "1", "17:11", "+6", "15"],
        ["3", link("Corda"), "8", "2", "2", "4", "10:16", "−6", "8"],
        ["4", link("Dunlo"), "8", "1", "0", "7", "6:18", "−12", "3"],
      )}`,
    );
    const rows = readRows(html, "standings", TEAM);
    expect(rows).toHaveLength(4);
    expect(rows[2]).toEqual({
      rank: 3,
      team: "Corda",
      team_url: "https://site.example/corda",
      played: 8,
      won: 2,
      drawn: 2,
      lost: 4,
      goals_for: 10,
      goals_against: 16,
      goal_difference: -6,
      points: 8,
    });
  });

  it("have no matches by letters where the sums differ", () => {
    const html = pageOf(
      "sv",
      `<h1>Konton</h1>${tableOf(
        ["Lag", "S", "V", "O", "F", "Poäng"],
        ["Arle", "8", "6", "2", "1", "19"],
        ["Bexum", "8", "4", "4", "1", "15"],
        ["Corda", "7", "2", "2", "4", "8"],
      )}`,
    );
    const { team, points, won, lost } = TEAM;
    expect(readRows(html, "standings", { team, points, won, lost })[0]).toEqual({
      team: "Arle",
      points: 19,
    });
  });

  it("have wins and losses after extra time", () => {
    const heads = [
      ["Tým", ""],
      ["Z", "Odehrané zápasy"],
      ["V", "Výhry v základní hrací době"],
      ["VP", "Výhry v prodloužení nebo na nájezdy"],
      ["PP", "Prohry v prodloužení nebo na nájezdy"],
      ["P", "Prohry v základní hrací době"],
      ["B", "Body"],
    ];
    const html = pageOf(
      "cs",
      `<h1>Tabulka</h1><table><tr>${heads.map(([text, title]) => `<th title="${title}">${text}</th>`).join("")}</tr>${[
        "Arle 9 6 1 0 2 20",
        "Bexum 9 4 0 2 3 14",
        "Corda 9 1 1 2 5 7",
      ]
        .map(
          (row) =>
            `<tr>${row
              .split(" ")
              .map((cell) => `<td>${cell}</td>`)
              .join("")}</tr>`,
        )
        .join("")}</table>`,
    );
    const properties = {
      team: STRING,
      wins: INTEGER,
      overtime_wins: INTEGER,
      overtime_losses: INTEGER,
      losses: INTEGER,
    };
    expect(readRows(html, "standings", properties)[0]).toEqual({
      team: "Arle",
      wins: 6,
      overtime_wins: 1,
      overtime_losses: 0,
      losses: 2,
    });
  });

  it("have no places where the numbers are not those of the order", () => {
    const html = pageOf(
      "de",
      `<h1>Kader</h1>${tableOf(
        ["#", "Spieler", "Tore"],
        ["1", "Ole Brandt", "0"],
        ["7", "Jan Fricke", "4"],
        ["12", "Tim Halm", "2"],
      )}`,
    );
    const properties = { rank: INTEGER, player: STRING, goals: INTEGER };
    expect(readRows(html, "players", properties)[1]).toEqual({ player: "Jan Fricke", goals: 4 });
  });
});
