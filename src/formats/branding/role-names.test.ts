import { describe, expect, it } from "vitest";
import { findClassRole, findVariableRole, findHueState } from "./role-names.ts";

describe("findVariableRole", () => {
  it.each([
    ["--primary", "primary"],
    ["--color-primary", "primary"],
    ["--primaryColor", "primary"],
    ["--brand", "primary"],
    ["--brand-500", "primary"],
    ["--acme-primary", "primary"],
    ["--bs-primary-rgb", "primary"],
    ["--wp--preset--color--primary", "primary"],
    ["--md-sys-color-secondary", "secondary"],
    ["--ion-color-danger", "error"],
    ["--destructive", "error"],
    ["--color-feedback-success", "success"],
    ["--v-theme-warning", "warning"],
    ["--bs-body-bg", "background"],
    ["--md-sys-color-on-background", "textPrimary"],
    ["--bs-body-color", "textPrimary"],
    ["--bs-secondary-color", "textSecondary"],
    ["--muted-foreground", "textSecondary"],
    ["--color-text-primary", "textPrimary"],
    ["--bs-link-color", "link"],
  ])("reads the variable %s as the role %s", (name, role) => {
    expect(findVariableRole(name)?.role).toBe(role);
  });

  it.each([
    "--primary-foreground",
    "--primary-hover",
    "--primary-50",
    "--bs-primary-bg-subtle",
    "--md-sys-color-primary-container",
    "--md-sys-color-on-primary",
    "--bs-btn-bg",
    "--nav-background",
    "--color-blue-500",
    "--x1",
    "--constructor",
  ])("finds no role in the variable %s", (name) => {
    expect(findVariableRole(name)).toBeUndefined();
  });

  it("ranks a plain name above one with an unknown prefix", () => {
    expect(findVariableRole("--primary")?.strength).toBeGreaterThan(
      findVariableRole("--acme-primary")?.strength ?? 1,
    );
  });
});

describe("findClassRole", () => {
  it.each([
    ["btn-danger", "error", "fill"],
    ["button--primary", "primary", "fill"],
    ["btn-outline-secondary", "secondary", "border"],
    ["alert-success", "success", "tint"],
    ["text-bg-warning", "warning", "fill"],
    ["text-danger", "error", "text"],
    ["is-error", "error", "any"],
  ])("reads the role from the class %s", (name, role, use) => {
    expect(findClassRole(name)).toMatchObject({ role, use });
  });

  it.each([
    "primary-menu",
    "secondary-content",
    "hover:bg-primary",
    "text-primary-foreground",
    "bg-primary/90",
    "btn-primary-hover",
    "card",
    "constructor",
  ])("finds no role in the class %s", (name) => {
    expect(findClassRole(name)).toBeUndefined();
  });

  it("maps the hue of a utility class to a state", () => {
    expect(findHueState("bg-red-600")).toBe("error");
    expect(findHueState("bg-blue-600")).toBeUndefined();
  });
});
