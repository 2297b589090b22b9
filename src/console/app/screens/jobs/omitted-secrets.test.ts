import { expect, it } from "vitest";
import { listOmitted } from "./omitted-secrets.ts";

it("groups headers by their field and other secrets in words", () => {
  expect(listOmitted(["headers.Cookie"])).toBe("the header Cookie in headers");
  expect(
    listOmitted([
      "scrapeOptions.headers.Cookie",
      "scrapeOptions.headers.X.Key",
      "webhook.headers.Authorization",
      "webhook.secret",
      "urls.login",
    ]),
  ).toBe(
    "the headers Cookie and X.Key in scrapeOptions.headers, the header Authorization in webhook.headers, the webhook’s secret, and user names and passwords in the URLs",
  );
  expect(listOmitted(["later.secret"])).toBe("later.secret");
});
