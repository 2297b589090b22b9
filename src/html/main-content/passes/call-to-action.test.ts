import { describe, expect, it } from "vitest";
import { isCallToAction } from "./call-to-action.ts";

describe("isCallToAction", () => {
  it.each([
    "Follow us on Instagram, Facebook, Twitter and YouTube.",
    "*** Follow me on Pinterest for more ***",
    "Suivez-nous sur Facebook et X.",
    "Folgen Sie uns auf Instagram!",
    "Sign up to receive our monthly newsletter",
    "There is more where that came from. Sign up today to get the free daily newsletter.",
    "Abonnez-vous à la newsletter du matin",
    "Like this story? Share it with a friend!",
    "Sharing is caring!",
    "This slideshow requires JavaScript.",
  ])('recognizes the call to action "%s"', (text) => {
    expect(isCallToAction(text)).toBe(true);
  });

  it.each([
    "Twitter said on Monday that it would follow the court's order.",
    "The followers of the king met on the hill.",
    "The newsletter has been sent to ten thousand people.",
    "Sign up for the Disney+ bundle using the same email as your account",
    "Share this information, please?",
    "Follow the path to the harbour.",
    "You can also find On the House on Apple Podcasts and YouTube Podcasts.",
  ])('ignores "%s", which is no call to action', (text) => {
    expect(isCallToAction(text)).toBe(false);
  });
});
