// A setup file runs for each test file, also where files share a process and load databases.ts once.
import { afterAll } from "vitest";
import { removeFolders } from "./databases.ts";

afterAll(removeFolders);
