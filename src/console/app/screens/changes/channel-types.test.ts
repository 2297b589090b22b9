import { describe, expect, it } from "vitest";
import { channelSchema } from "../../../../contract/jobs/monitor-channels.ts";
import { CHANNEL_TYPES, isComplete, listChannelFields, toChannel } from "./channel-types.ts";

const SAMPLES: Readonly<Record<string, string>> = {
  url: "https://a.test/hook",
  to: "a@example.org, b@example.org",
};

describe("channels in the console", () => {
  it("sets up every service of the API", () => {
    const known = channelSchema.options.map(({ shape }) => shape.type.value);
    expect(CHANNEL_TYPES.map(([type]) => type).toSorted()).toEqual(known.toSorted());
  });

  it.each(CHANNEL_TYPES)("writes a channel of %s as the contract takes it", (type) => {
    const fields = listChannelFields(type);
    const values = Object.fromEntries(fields.map(({ name }) => [name, SAMPLES[name] ?? " abc "]));
    const parsed = channelSchema.parse(toChannel(type, values));
    expect(parsed).toMatchObject({ type });
    expect(isComplete(type, values)).toBe(true);
    const needed = fields.filter(({ isOptional }) => isOptional !== true);
    for (const { name } of needed) {
      const without = { ...values, [name]: " " };
      expect(isComplete(type, without)).toBe(false);
      expect(channelSchema.safeParse(toChannel(type, without)).success).toBe(false);
    }
    const least = Object.fromEntries(needed.map(({ name }) => [name, values[name] ?? ""]));
    expect(channelSchema.safeParse(toChannel(type, least)).success).toBe(true);
  });
});
