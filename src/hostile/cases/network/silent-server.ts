// A connection that is accepted and never answered.
import { endlessAnswer, scrapeSlowly } from "../../families/slow-body.ts";
import type { HostileCase } from "../../hostile-case.ts";

export const silentServer: HostileCase = {
  ...endlessAnswer,
  name: "silent-server",
  attack: "A page takes the request and never answers.",
  run: (context) => scrapeSlowly(context, () => undefined),
};
