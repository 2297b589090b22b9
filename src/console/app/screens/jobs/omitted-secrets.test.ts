import { expect, it } from "vitest";
import { listOmitted } from "./omitted-secrets.ts";

it("groups headers by their field and writes other secrets in words", () => {
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
  expect(
    listOmitted([
      "url.login",
      "scrapeOptions.actions.1.text",
      "actions.0.script",
      "webhook.metadata.team",
      "webhook.metadata.token",
    ]),
  ).toBe(
    "the values team and token in webhook.metadata, the user name and password in the URL, the text of step 2 of the actions, and the script of step 1 of the actions",
  );
  expect(listOmitted(["later.secret"])).toBe("later.secret");
});
