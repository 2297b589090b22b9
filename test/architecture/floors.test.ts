import { readdir, readFile } from "node:fs/promises";
import path from "node:path";
import { describe, expect, it } from "vitest";
import floorList from "../../scripts/floors.json" with { type: "json" };
import plugin, { refusal, findRoom } from "../../scripts/lint-floors.js";
import {
  findCircle,
  type Graph,
  listImports,
  readSources,
  type Sources,
  toGraph,
} from "./import-graph.ts";

const root = path.resolve(import.meta.dirname, "../..");
const at = (file: string): string => path.join(root, file);
const nameOf = (file: string): string => path.relative(root, file).split(path.sep).join("/");

const sources = await readSources(root, ["src", "client"]);

/** `src/url/a.ts -> src/http/b.ts: why not`, one per import that does not lead to a lower floor. */
function findClimbs(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    targets.flatMap((target) => {
      const reason = refusal(file, target);
      return reason === undefined ? [] : [`${nameOf(file)} -> ${nameOf(target)}: ${reason}`];
    }),
  );
}

/** Relative imports that lead outside of the rooms. */
function findEscapes(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    targets
      .filter((target) => findRoom(target) === undefined && target !== at("package.json"))
      .map((target) => `${nameOf(file)} -> ${nameOf(target)}`),
  );
}

type Rule = {
  readonly says: string;
  readonly modules: RegExp;
  /** Rooms that may import it, or with `never`, that may not. */
  readonly rooms: readonly string[];
  readonly never?: true;
};

/** Access of rooms to the outside world. Types count too. */
const RULES: readonly Rule[] = [
  {
    says: "only store/ knows SQL",
    modules: /^(?:kysely|pg|@electric-sql\/pglite)(?:\/|$)/,
    rooms: ["src/store/"],
  },
  {
    says: "only http/ knows Fastify",
    modules: /^(?:fastify|@fastify\/.*|fastify-.*)$/,
    rooms: ["src/http/"],
  },
  {
    says: "only egress/ and engines/ know the HTTP client",
    modules: /^(?:undici|proxy-chain)(?:\/|$)/,
    rooms: ["src/egress/", "src/engines/"],
  },
  {
    says: "contract/, url/ and html/ do no I/O",
    modules:
      /^(?:undici|node:(?:fs|net|http|https|http2|tls|dns|dgram|child_process|worker_threads)(?:\/.*)?)$/,
    rooms: ["src/contract/", "src/url/", "src/html/"],
    never: true,
  },
];

function findTrespasses(all: Sources): string[] {
  return [...all].flatMap(([file, imports]) =>
    RULES.flatMap(({ says, modules, rooms, never }) =>
      imports
        .filter(({ target }) => modules.test(target))
        .filter(() => rooms.some((room) => nameOf(file).startsWith(room)) === (never === true))
        .map(({ target }) => `${nameOf(file)} imports ${target}: ${says}`),
    ),
  );
}

/** Rooms that other code enters by one file. */
const ENTRIES = new Map([["src/browser/installation/", "install-browser.ts"]]);

/** Imports from another room, tests aside, of something else than the entry. */
function findSideEntries(graph: Graph): string[] {
  return [...graph].flatMap(([file, targets]) =>
    targets.map(nameOf).flatMap((target) => {
      const room = [...ENTRIES.keys()].find((one) => target.startsWith(one));
      if (room === undefined || nameOf(file).startsWith(room)) return [];
      return target === `${room}${ENTRIES.get(room)}` ? [] : [`${nameOf(file)} -> ${target}`];
    }),
  );
}

describe("rooms and floors", () => {
  it("every file has a room and every room exists", async () => {
    const homeless = [...sources.keys()].filter((file) => findRoom(file) === undefined);
    expect(homeless.map(nameOf)).toEqual([]);
    const empty = floorList.floors
      .flat()
      .filter((room) => ![...sources.keys()].some((file) => findRoom(file)?.room === room));
    expect(empty).toEqual([]);
    const entries = await readdir(at("src"), { withFileTypes: true });
    const rooms = entries.map((entry) => `src/${entry.name}${entry.isDirectory() ? "/" : ""}`);
    const named = rooms.filter((room) => !room.endsWith(".test.ts"));
    expect(named.toSorted()).toEqual(
      floorList.floors
        .flat()
        .filter((room) => /^src\/[^/]+\/?$/.test(room))
        .toSorted(),
    );
  });

  it("imports lead to lower floors only, types included", () => {
    expect(sources.size).toBeGreaterThan(20);
    expect(findClimbs(toGraph(sources))).toEqual([]);
  });

  it("imports lead only to files in rooms", () => {
    expect(findEscapes(toGraph(sources))).toEqual([]);
  });

  it("imports have no cycles, types included", () => {
    expect(findCircle(toGraph(sources))?.map(nameOf)).toBeUndefined();
  });

  it("rooms with one entry are entered by it only", () => {
    const files = [...toGraph(sources).values()].flat().map(nameOf);
    for (const [room, entry] of ENTRIES) expect(files).toContain(`${room}${entry}`);
    expect(findSideEntries(toGraph(sources))).toEqual([]);
  });

  it("each external capability is used in its own room only", () => {
    expect(findTrespasses(sources)).toEqual([]);
  });

  it("the folder table of ARCHITECTURE.md matches the rooms", async () => {
    const text = await readFile(at("ARCHITECTURE.md"), "utf8");
    const rows = [...text.matchAll(/^\| (\d+) \| `([^`]+)` \| (\S.*) \|$/gm)];
    const table = rows.map((row) => ({ floor: Number(row[1]), room: row[2] }));
    const expected = floorList.floors.flatMap((rooms, index) =>
      rooms.map((room) => ({ floor: index + 1, room })),
    );
    const key = (row: { floor: number; room: string | undefined }) => `${row.floor} ${row.room}`;
    expect(table.map(key).toSorted()).toEqual(expected.map(key).toSorted());
    const floorsDown = table.map((row) => row.floor);
    expect(floorsDown).toEqual(floorsDown.toSorted((a, b) => b - a));
    expect(text.split("\n").length).toBeLessThanOrEqual(170);
  });
});

describe("architecture checks", () => {
  const planted = (files: Record<string, string>): Sources =>
    new Map(Object.entries(files).map(([file, text]) => [at(file), listImports(text)]));

  it("the check reads every kind of import", () => {
    const text = [
      'import { a } from "./a.ts";',
      'import type { B } from "./b.ts";',
      "import {\n  type C,\n  d,\n} from './no.ts';".replaceAll("'", '"'),
      'import "./effect.ts";',
      'export * from "./all.ts";',
      'export type { E } from "./e.ts";',
      'const f = await import("./f.ts");',
      'let g: import("./g.ts").G;',
      'let h: typeof import("./h.ts");',
      'new Worker(new URL("./worker.ts", import.meta.url));',
      '// import { x } from "./comment.ts";',
      '/**\n * import { x } from "./doc.ts";\n */',
      'import type from "./default.ts";',
    ].join("\n");
    expect(listImports(text)).toEqual([
      { target: "./a.ts", isType: false, isStatic: true },
      { target: "./b.ts", isType: true, isStatic: true },
      { target: "./no.ts", isType: false, isStatic: true },
      { target: "./effect.ts", isType: false, isStatic: true },
      { target: "./all.ts", isType: false, isStatic: true },
      { target: "./e.ts", isType: true, isStatic: true },
      { target: "./f.ts", isType: false, isStatic: false },
      { target: "./g.ts", isType: false, isStatic: false },
      { target: "./h.ts", isType: true, isStatic: false },
      { target: "./worker.ts", isType: false, isStatic: false },
      { target: "./default.ts", isType: false, isStatic: true },
    ]);
  });

  it("the check finds an upward import, a type import and one on the same floor", () => {
    const graph = toGraph(
      planted({
        "src/url/planted.ts": 'import type { Server } from "../http/server.ts";',
        "src/engines/planted.ts": 'export { x } from "../formats/index.ts";',
        "src/http/planted.ts": 'import { x } from "../url/planted.ts";',
        "client/planted.ts": 'const { x } = await import("../src/errors.ts");',
      }),
    );
    expect(findClimbs(graph).map((line) => line.split(":")[0])).toEqual([
      "src/url/planted.ts -> src/http/server.ts",
      "src/engines/planted.ts -> src/formats/index.ts",
      "client/planted.ts -> src/errors.ts",
    ]);
  });

  it("the check distinguishes a room from the room that contains it", () => {
    expect(findRoom(at("src/html/markdown/planted.ts"))?.room).toBe("src/html/markdown/");
    expect(findRoom(at("src/html/planted.ts"))?.room).toBe("src/html/");
    const graph = toGraph(
      planted({
        "src/html/planted.ts": 'import { x } from "./markdown/x.ts";',
        "src/html/markdown/planted.ts": 'import { x } from "../metadata/x.ts";',
        "src/html/metadata/planted.ts": 'import { x } from "../tree.ts";',
      }),
    );
    expect(findClimbs(graph).map((line) => line.split(":")[0])).toEqual([
      "src/html/planted.ts -> src/html/markdown/x.ts",
      "src/html/markdown/planted.ts -> src/html/metadata/x.ts",
    ]);
  });

  it("the check finds an import that bypasses the entry of a room", () => {
    const [pool, inside] = [at("src/browser/pool.ts"), at("src/browser/installation/tar.ts")];
    const graph: Graph = new Map([
      [pool, [at("src/browser/installation/install-browser.ts"), inside]],
      [at("src/browser/installation/install-browser.ts"), [inside]],
    ]);
    expect(findSideEntries(graph)).toEqual([
      "src/browser/pool.ts -> src/browser/installation/tar.ts",
    ]);
  });

  it("the check finds an import that leaves the rooms", () => {
    const graph = toGraph(
      planted({ "src/url/planted.ts": 'import { x } from "../../test/x.ts";' }),
    );
    expect(findEscapes(graph)).toEqual(["src/url/planted.ts -> test/x.ts"]);
  });

  it("the check finds a cycle of type imports", () => {
    const circle = findCircle(
      toGraph(
        planted({
          "src/url/a.ts": 'import { b } from "./b.ts";',
          "src/url/b.ts": 'import type { C } from "./c.ts";',
          "src/url/c.ts": 'import type { B } from "./b.ts";',
        }),
      ),
    );
    expect(circle?.map(nameOf)).toEqual(["src/url/b.ts", "src/url/c.ts", "src/url/b.ts"]);
    expect(findCircle(toGraph(planted({ "src/url/a.ts": 'import "./a.ts";' })))).toHaveLength(2);
    const diamond = { a: ["b", "c"], b: ["d"], c: ["d"], d: [] };
    expect(findCircle(new Map(Object.entries(diamond)))).toBeUndefined();
  });

  it("the check finds a forbidden capability", () => {
    const trespasses = findTrespasses(
      planted({
        "src/account/planted.ts": 'import { sql } from "kysely";',
        "src/html/planted.ts": 'import { readFile } from "node:fs/promises";',
        "src/html/markdown/planted.ts": 'import "undici";',
        "src/store/planted.ts": 'import { sql } from "kysely";\nimport fs from "node:fs";',
      }),
    );
    expect(trespasses).toEqual([
      "src/account/planted.ts imports kysely: only store/ knows SQL",
      "src/html/planted.ts imports node:fs/promises: contract/, url/ and html/ do no I/O",
      "src/html/markdown/planted.ts imports undici: only egress/ and engines/ know the HTTP client",
      "src/html/markdown/planted.ts imports undici: contract/, url/ and html/ do no I/O",
    ]);
  });

  it("the floors check and the lint rule allow and reject the same imports", () => {
    const messages: string[] = [];
    const lint = (filename: string, target: string): void => {
      const context = {
        filename: at(filename),
        report: (fault: { message: string }) => messages.push(fault.message),
      };
      plugin.rules.floors.create(context)["ImportDeclaration"]?.({ source: { value: target } });
    };
    lint("src/http/planted.ts", "../url/x.ts");
    lint("src/url/planted.test.ts", "../http/server.ts");
    expect(messages).toEqual([]);
    lint("src/url/planted.ts", "../http/server.ts");
    expect(messages).toEqual([refusal(at("src/url/planted.ts"), at("src/http/server.ts"))]);
  });
});
