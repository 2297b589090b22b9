import { expect, it } from "vitest";
import { ANONYMOUS_IDENTITY, UNLIMITED } from "../account/identity.ts";
import { buildJobIdentity, withGrants } from "./caller.ts";

it("a job that is started again has the grants of the new key only", () => {
  const limits = { ...UNLIMITED, concurrency: 2 };
  const earlier = withGrants(
    { prompt: "x" },
    {
      ...ANONYMOUS_IDENTITY,
      keyName: "fenced",
      accountLimits: limits,
      limits,
      allowHosts: ["a.example"],
    },
  );
  const { accountId, keyId } = ANONYMOUS_IDENTITY;
  const retrying = { accountId, keyId, keyName: "free", limits: UNLIMITED };
  const options = withGrants(earlier, retrying);
  expect(options).toMatchObject({ prompt: "x" });
  expect(buildJobIdentity({ accountId, keyId, options })).toEqual({
    accountId,
    keyId,
    keyName: "free",
    limits: UNLIMITED,
    accountLimits: UNLIMITED,
    allowHosts: undefined,
  });
});
