// The house's lint rule: a file imports its own room and lower floors only (scripts/floors.json, lowest floor first).
import { readFileSync } from "node:fs";
import path from "node:path";

const root = path.resolve(import.meta.dirname, "..");
const { floors } = JSON.parse(readFileSync(path.join(import.meta.dirname, "floors.json"), "utf8"));

// A room may lie inside another: the longest name comes first, so it is the one that holds.
const allRooms = floors
  .flatMap((rooms, floor) => rooms.map((room) => ({ room, floor })))
  .toSorted((a, b) => b.room.length - a.room.length);

/** @returns {{ room: string, floor: number } | undefined} */
export function findRoom(file) {
  const relative = path.relative(root, file).split(path.sep).join("/");
  return allRooms.find(({ room }) =>
    room.endsWith("/") ? relative.startsWith(room) : relative === room,
  );
}

/** Why `from` may not import `to`, or undefined when it may. */
export function refusal(from, to) {
  const above = findRoom(from);
  const below = findRoom(to);
  if (!above || !below || above.room === below.room || below.floor < above.floor) return undefined;
  const relation = below.floor === above.floor ? "stands on the same floor as" : "stands above";
  return `${below.room} ${relation} ${above.room}; a file imports its own room and lower floors only (see ARCHITECTURE.md).`;
}

const rule = {
  create(context) {
    const check = (node) => {
      const target = node.source?.value;
      if (typeof target !== "string" || !target.startsWith(".")) return;
      const file = context.filename ?? context.getFilename();
      if (file.endsWith(".test.ts")) return;
      const message = refusal(file, path.resolve(path.dirname(file), target));
      if (message) context.report({ node, message });
    };
    return {
      ImportDeclaration: check,
      ExportNamedDeclaration: check,
      ExportAllDeclaration: check,
      ImportExpression: check,
    };
  },
};

export default { meta: { name: "house" }, rules: { floors: rule } };
