import { describe, expect, it } from "vitest";
import { cleanByline, cleanDeclared } from "./person-name.ts";

describe("cleanByline", () => {
  it.each([
    ["By Jane Doe", "Jane Doe"],
    ["by: Jane Doe and John Roe", "Jane Doe and John Roe"],
    ["Posted by Jane Doe on May 3, 2024", "Jane Doe"],
    ["Jane Doe, Senior Staff Writer", "Jane Doe"],
    ["Von Jürgen Groß | 12.11.2024", "Jürgen Groß"],
    ["Jane Doe • 5 min read", "Jane Doe"],
    ["Jane Doe Tuesday, May 3", "Jane Doe"],
    ["David at December 3", "David"],
    ["Martin", "Martin"],
    ["Jean le Marchand", "Jean le Marchand"],
    ["Yun Sun Kim", "Yun Sun Kim"],
    ["May Brandt", "May Brandt"],
    ["John F. Kennedy Jr.", "John F. Kennedy Jr."],
    ["user_4711", "user_4711"],
    ["渡辺洋介", "渡辺洋介"],
    ["文：牛镛", "牛镛"],
    ["記者 王小明", "記者 王小明"],
    ["신현주 기자", "신현주"],
    ["投稿者 根岸征史", "根岸征史"],
    ["بقلم أحمد الخطيب", "أحمد الخطيب"],
    ["מאת יעל כהן", "יעל כהן"],
    ["โดย สมชาย ใจดี", "สมชาย ใจดี"],
    ["राजेश कुमार", "राजेश कुमार"],
    ["Автор: Анна Иванова", "Анна Иванова"],
    ["Μαρία Παπαδοπούλου", "Μαρία Παπαδοπούλου"],
  ])("extracts the name from the byline %j", (text, name) => {
    expect(cleanByline(text)).toBe(name);
  });

  it.each([
    "",
    "Dec",
    "August",
    "Posted",
    "Share",
    "12 November 2024",
    "https://x.org/",
    "a@b.org",
    "© 2024 The Paper",
    "編集部",
    "редакция",
    "···",
    "2024年5月3日",
    "This is a whole sentence about something that happened in the town.",
  ])("finds no name in the byline %j", (text) => {
    expect(cleanByline(text)).toBe("");
  });
});

describe("cleanDeclared", () => {
  it.each([
    ["By Jane Doe", "Jane Doe"],
    [" Jane  Doe, ", "Jane Doe"],
    ["<b>Jane Doe</b>", "Jane Doe"],
    ["https://www.facebook.com/paper", ""],
    ["desk@paper.example", ""],
    ["1234567", ""],
    ["null", ""],
  ])("extracts the name from the declared author %j", (text, name) => {
    expect(cleanDeclared(text)).toBe(name);
  });
});
