// Extractors learned from example pages and replayed on the rest of a site, without a model:
//   npm run eval:extractors -- swde [--data FOLDER] [--draws 5] [--examples 3] [--verbose]
//   npm run eval:extractors -- sites [--half dev|heldout] [--site NAME] [--verbose]
// `swde`: one site of the SWDE set (EVAL_DATA or --data). Example pages are spread evenly; each
// draw starts at another page. A value is right if the page's ground truth has it. `sites`:
// test/extractors/sites, scored on the pages and records that are no examples.
import { parseArgs } from "node:util";
import { scoreSites } from "./extractor-sites.ts";
import { scoreSwde } from "./extractor-swde.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    data: { type: "string", default: process.env["EVAL_DATA"] ?? "" },
    draws: { type: "string", default: "5" },
    examples: { type: "string", default: "3" },
    half: { type: "string", default: "dev" },
    site: { type: "string", default: "" },
    verbose: { type: "boolean", default: false },
  },
});

const [set = "sites"] = positionals;
if (set === "swde") {
  if (values.data === "") throw new Error("Set EVAL_DATA or --data to the folder with swde/.");
  scoreSwde({ ...values, draws: Number(values.draws), examples: Number(values.examples) });
} else if (set === "sites") scoreSites(values);
else throw new Error(`${set} is not a set; there are swde and sites.`);
