import { describe, expect, it } from "vitest";
import {
  BOOLEAN,
  DATE,
  pageOf,
  readRows,
  STRING,
} from "../../../../test/understanding/schema-pages.ts";

const release = (name: string, tag: string, hash: string, day: string, badge: string): string =>
  `<li><h3><a href="/r/${tag}">${name}</a></h3><span class="badge">${badge}</span><a href="/src/${tag}">${tag}</a> <a href="/c/${hash}">${hash}</a><p>publié <relative-time datetime="${day}T09:10:11Z">il y a 3 jours</relative-time></p><p>Corrige l'import des calques et la palette.</p></li>`;
const RELEASE = {
  title: STRING,
  tag: STRING,
  commit: STRING,
  released_on: DATE,
  pre_release: BOOLEAN,
  details_url: STRING,
};

describe("lists of releases", () => {
  it("give tags and commits by their notation and the date of a custom time element", () => {
    const html = pageOf(
      "fr",
      `<h1>Versions</h1><ul>${release("Palette 3", "v3.0.0-beta.2", "b80f3d61aa", "2026-05-04", "Pre-release")}${release("Palette 2.8", "v2.8.1", "47c1e09", "2026-04-19", "Stable")}</ul>`,
    );
    expect(readRows(html, "releases", RELEASE)).toEqual([
      {
        title: "Palette 3",
        tag: "v3.0.0-beta.2",
        commit: "b80f3d61aa",
        released_on: "2026-05-04",
        pre_release: true,
        details_url: "https://site.example/r/v3.0.0-beta.2",
      },
      {
        title: "Palette 2.8",
        tag: "v2.8.1",
        commit: "47c1e09",
        released_on: "2026-04-19",
        details_url: "https://site.example/r/v2.8.1",
      },
    ]);
  });

  it("give no tag where a record shows two versions, and no number as a commit", () => {
    const card = (name: string, number: string): string =>
      `<li><h3>${name}</h3><p>v1.2.0</p><p>v1.3.0</p><p>${number}</p></li>`;
    const html = pageOf(
      "en",
      `<h1>Upgrades</h1><ul>${card("Moth", "20260504")}${card("Quill", "20260611")}</ul>`,
    );
    const properties = { name: STRING, version_note: STRING, tag: STRING, commit: STRING };
    expect(readRows(html, "upgrades", { name: properties.name })).toHaveLength(2);
    expect(JSON.stringify(readRows(html, "upgrades", properties))).not.toMatch(/tag|commit/);
  });
});
