// From a prompt to data over many pages: a list, filled from the pages it leads to. It works without a model.
import { client, url } from "./connect.mjs";

const schema = {
  type: "object",
  properties: {
    entries: {
      type: "array",
      items: {
        type: "object",
        properties: { name: { type: "string" }, email: { type: "string" } },
        required: ["name"],
      },
    },
  },
};

const run = await client.agents.start("everybody with e-mail", {
  urls: [url],
  schema,
  effort: "low",
  maxCredits: 200,
});
const state = await run.wait();
console.log(JSON.stringify(state.data ?? state.partial ?? null, null, 2));
console.error(
  `${state.status}, ${state.creditsUsed} credits. ${state.warning ?? state.error ?? ""}`,
);
