import type { Page } from "playwright-core";
import { findTextFaults } from "./_text_boxes.ts";

/**
 * Finds what is wrong with the look of a page: something wider than it, a text cut off or over another, a text too faint for its
 * background, a picture whose texts are cut off or lie over one another.
 *
 * @param pictures Which pictures' texts are looked at.
 */
export async function findPageFaults(page: Page, pictures: string): Promise<readonly string[]> {
  const found = await page.evaluate(`(${inPage})()`) as string[];
  const inPictures = await findTextFaults(page, { slack: 1, pictures });
  return [
    ...found,
    ...inPictures.map(({ text, other, by }) =>
      `in a picture "${text}" ${other === undefined ? "is cut off" : `lies over "${other}"`} by ${by.toFixed(1)}`
    ),
  ];
}

/** The width of A4 within the margins of a report, in pixels; Letter is wider. */
const PAPER = 688;

/** Returns by how many pixels a page is wider than paper, for which a browser would shrink all of it. */
export async function beyondPaper(page: Page): Promise<number> {
  const size = page.viewportSize()!;
  await page.emulateMedia({ media: "print" });
  await page.setViewportSize({ width: PAPER, height: 900 });
  const width = Number(await page.evaluate("document.documentElement.scrollWidth"));
  await page.emulateMedia({ media: "screen" });
  await page.setViewportSize(size);
  return width - PAPER;
}

/** Runs in the page, so it must not use anything from outside. */
const inPage = `() => {
  const faults = [];
  const name = (element) => {
    const text = element.textContent.trim().replace(/\\s+/g, " ").slice(0, 60);
    return element.tagName.toLowerCase() + (element.className && typeof element.className === "string" ? "." + element.className : "") + ' "' + text + '"';
  };
  const wide = document.documentElement.scrollWidth - innerWidth;
  if (wide > 0) {
    const widest = [...document.body.querySelectorAll("*")].filter((element) => element.getBoundingClientRect().right > innerWidth + 1 && !element.closest("svg"));
    const free = widest.filter((element) => {
      for (let parent = element.parentElement; parent; parent = parent.parentElement) if (getComputedStyle(parent).overflowX !== "visible") return false;
      return true;
    });
    faults.push("the page is wider than the window by " + wide + ": " + free.slice(0, 3).map(name).join("; "));
  }
  // What of an element can be seen: boxes around it that scroll show a part of it.
  const windowOf = (element) => {
    const seen = { left: -Infinity, right: Infinity, top: -Infinity, bottom: Infinity };
    for (let box = element; box; box = box.parentElement) {
      const { overflowX, overflowY } = getComputedStyle(box);
      const rect = box.getBoundingClientRect();
      if (overflowX !== "visible") [seen.left, seen.right] = [Math.max(seen.left, rect.left), Math.min(seen.right, rect.right)];
      if (overflowY !== "visible") [seen.top, seen.bottom] = [Math.max(seen.top, rect.top), Math.min(seen.bottom, rect.bottom)];
    }
    return seen;
  };
  const boxes = [];
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = walker.nextNode(); node; node = walker.nextNode()) {
    const element = node.parentElement;
    if (node.textContent.trim() === "" || element.closest("svg, script, style, .highlight") || !element.checkVisibility({ visibilityProperty: true })) continue;
    const style = getComputedStyle(element);
    // Cut off: by a box that hides what does not fit, unless it says so by an ellipsis.
    for (let box = element; box; box = box.parentElement) {
      const { overflowX, overflowY, textOverflow } = getComputedStyle(box);
      if (overflowX === "hidden" && box.scrollWidth > box.clientWidth + 1 && textOverflow !== "ellipsis") faults.push(name(box) + " is cut off");
      if (overflowY === "hidden" && box.scrollHeight > box.clientHeight + 1) faults.push(name(box) + " is cut off below");
    }
    // Its colour against what is behind it.
    const rgb = (text) => (text.match(/[\\d.]+/g) ?? []).map(Number);
    const layers = [];
    for (let box = element; box; box = box.parentElement) {
      const [r, g, b, a = 1] = rgb(getComputedStyle(box).backgroundColor);
      if (a > 0) layers.push([r, g, b, a]);
      if (a === 1) break;
    }
    const behind = layers.reverse().reduce((under, [r, g, b, a]) => [r, g, b].map((c, at) => a * c + (1 - a) * under[at]), matchMedia("(prefers-color-scheme: dark)").matches ? [13, 17, 23] : [255, 255, 255]);
    const luminance = (colour) => {
      const [r, g, b] = colour.map((c) => (c /= 255) <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4);
      return 0.2126 * r + 0.7152 * g + 0.0722 * b;
    };
    const [one, other] = [luminance(rgb(style.color).slice(0, 3)), luminance(behind)].sort((a, b) => b - a);
    const contrast = (one + 0.05) / (other + 0.05);
    if (contrast < 4.4) faults.push(name(element) + " has a contrast of " + contrast.toFixed(1));
    const range = document.createRange();
    range.selectNodeContents(node);
    const window = windowOf(element);
    for (const rect of range.getClientRects()) {
      const [left, right] = [Math.max(rect.left, window.left), Math.min(rect.right, window.right)];
      const [top, bottom] = [Math.max(rect.top + 0.25 * rect.height, window.top), Math.min(rect.bottom - 0.25 * rect.height, window.bottom)];
      if (right - left > 1 && bottom - top > 1) boxes.push({ left, right, top, bottom, element, text: node.textContent.trim().slice(0, 50) });
    }
  }
  // Texts that scroll under a head, or stand beside the page, are over others by design.
  const fixed = (element) => {
    for (let box = element; box; box = box.parentElement) if (["fixed", "sticky"].includes(getComputedStyle(box).position)) return true;
    return false;
  };
  const still = boxes.filter(({ element }) => !fixed(element)).sort((a, b) => a.top - b.top);
  still.forEach((box, at) => {
    for (let next = at + 1; next < still.length && still[next].top < box.bottom - 1; next++) {
      const other = still[next];
      const by = Math.min(box.right, other.right) - Math.max(box.left, other.left);
      if (by > 1 && box.text !== other.text) faults.push('"' + box.text + '" lies over "' + other.text + '" by ' + by.toFixed(1));
    }
  });
  return [...new Set(faults)];
}`;
