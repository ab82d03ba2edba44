"use strict";
(() => {
  const root = document.documentElement;
  root.classList.add("scripted");
  const data = JSON.parse(document.getElementById("data").textContent);
  const text = (number) => (number < 0 ? null : data.strings[number]);
  const byId = (name) => document.getElementById(name);

  // Texts go in as text nodes only, so nothing in them is ever markup.
  function make(name, attributes, ...children) {
    const svg = ["svg", "rect", "path", "text"].includes(name);
    const made = svg
      ? document.createElementNS("http://www.w3.org/2000/svg", name)
      : document.createElement(name);
    for (const [key, value] of Object.entries(attributes || {})) made.setAttribute(key, value);
    made.append(...children.filter((child) => child !== null));
    return made;
  }
  const thin = (value) => String(value).replace(/\B(?=(\d{3})+(?!\d))/g, "\u2009");

  // Light and dark: by the system, until somebody chooses.
  const themes = ["system", "light", "dark"];
  function theme(name) {
    if (name === "system") root.removeAttribute("data-theme");
    else root.setAttribute("data-theme", name);
    byId("theme").textContent = "Theme: " + name;
  }
  byId("theme").addEventListener("click", () => {
    const now = root.getAttribute("data-theme") || "system";
    theme(themes[(themes.indexOf(now) + 1) % themes.length]);
  });

  // Tables sort by a column's figures, else by its words.
  for (const table of document.querySelectorAll("table.sortable")) {
    table.tHead.addEventListener("click", (event) => {
      const head = event.target.closest("th");
      if (!head || !event.target.closest("button")) return;
      const column = head.cellIndex;
      const down = head.getAttribute("aria-sort") !== "descending";
      for (const one of head.parentNode.cells) one.removeAttribute("aria-sort");
      head.setAttribute("aria-sort", down ? "descending" : "ascending");
      const key = (row) => {
        const cell = row.cells[column];
        return cell.dataset.by === undefined ? cell.textContent : Number(cell.dataset.by);
      };
      const rows = [...table.tBodies[0].rows].map((row) => [key(row), row]);
      rows.sort(([a], [b]) => {
        const by = typeof a === "number" && typeof b === "number" ? a - b : String(a).localeCompare(String(b));
        return down ? -by : by;
      });
      table.tBodies[0].append(...rows.map(([, row]) => row));
    });
  }

  // One histogram at a time.
  const tools = byId("length-tool");
  if (tools) {
    const show = () => {
      for (const one of document.querySelectorAll("[data-tool]")) one.hidden = one.dataset.tool !== tools.value;
    };
    tools.addEventListener("change", show);
    show();
  }

  // Any session's use of the window.
  const pick = byId("session-pick");
  if (pick) {
    data.sessions.forEach((one, at) => pick.append(make("option", { value: at }, one.name)));
    const draw = () => byId("session-chart").replaceChildren(...chart(data.sessions[pick.value]));
    pick.addEventListener("change", draw);
    draw();
  }
  function chart(one) {
    const [wide, high, left, top] = [720, 220, 112, 18];
    const peak = Math.max(...one.tokens.map((value) => value || 0));
    const most = Math.max(one.window || 0, peak) || 1;
    const y = (value) => high - 24 - ((high - 24 - top) * value) / most;
    const across = (wide - left - 8) / Math.max(1, one.tokens.length);
    const shapes = [];
    one.tokens.forEach((value, at) => {
      if (value) {
        shapes.push(make("rect", { class: "kept", x: left + at * across, y: y(value),
          width: Math.max(0.8, across - (across > 3 ? 1 : 0)), height: y(0) - y(value) }));
      }
    });
    if (one.window) shapes.push(make("path", { class: "window", d: `M${left} ${y(one.window)}H${wide - 8}` }));
    for (const at of one.cuts) {
      shapes.push(make("path", { class: "mark", d: `M${left + at * across} ${top}V${y(0)}` }));
    }
    shapes.push(make("path", { class: "axis", d: `M${left} ${y(0)}H${wide - 8}` }));
    const ticks = peak > 0.85 * most || peak < 0.15 * most ? [[0, "0"], [most, thin(most)]] : [[0, "0"], [peak, thin(peak)], [most, thin(most)]];
    for (const [value, words] of ticks) {
      shapes.push(make("text", { x: left - 6, y: y(value) + 4, "text-anchor": "end" }, words));
    }
    shapes.push(make("text", { x: left, y: high - 6 }, "first turn"));
    shapes.push(make("text", { x: wide - 8, y: high - 6, "text-anchor": "end" }, "turn " + thin(one.turns)));
    const step = one.step > 1 ? ` Each bar is the fullest of ${one.step} turns.` : "";
    const words = `${one.name}: ${one.words}.${step}`;
    return [
      make("svg", { viewBox: `0 0 ${wide} ${high}`, class: "chart", role: "img", "aria-label": words }, ...shapes),
      make("p", { class: "legend" }, (one.model ? one.model + ". " : "") + words),
    ];
  }

  // The findings: rows of numbers of texts; the elements of one page of them exist at a time.
  const form = byId("filters");
  if (!form) return;
  const names = ["severity", "check", "boundary", "tool", "session"];
  const severities = ["note", "warning", "error"];
  const [CHECK, BOUNDARY, TOOL, SESSION, PLACE, CALL, WHAT, ADVICE, EXHIBIT, FIGURES] = [1, 2, 3, 4, 5, 6, 7, 8, 9, 10];
  const facet = {
    severity: (one) => severities[one[0]],
    check: (one) => text(one[CHECK]),
    boundary: (one) => text(one[BOUNDARY]),
    tool: (one) => text(one[TOOL]) || "(no tool)",
    session: (one) => text(one[SESSION]) || "(no session)",
  };
  const PER_PAGE = 25;
  let state = { q: "", page: 0, open: null };
  let matching = [];
  const words = new Map();
  function wordsOf(at) {
    if (!words.has(at)) {
      const one = data.findings[at];
      const parts = [CHECK, BOUNDARY, TOOL, SESSION, PLACE, CALL, WHAT, ADVICE].map((column) => text(one[column]));
      words.set(at, [...parts, ...one.slice(FIGURES).map(text)].join(" ").toLowerCase());
    }
    return words.get(at);
  }
  function matches(at, but) {
    const one = data.findings[at];
    return names.every((name) => name === but || !state[name] || facet[name](one) === state[name]) &&
      (!state.q || wordsOf(at).includes(state.q.toLowerCase()));
  }

  // The state stands in the address, so that a view can be linked to and gone back to.
  function read() {
    const hash = location.hash.slice(1);
    if (hash && !hash.includes("=")) return false;
    const given = new URLSearchParams(hash);
    state = { q: given.get("q") || "", page: Math.max(0, Number(given.get("page") || 1) - 1) || 0, open: null };
    for (const name of names) state[name] = given.get(name) || "";
    const open = Number(given.get("open"));
    if (given.has("open") && Number.isInteger(open)) state.open = open;
    return true;
  }
  function write() {
    const given = new URLSearchParams();
    for (const name of [...names, "q"]) if (state[name]) given.set(name, state[name]);
    if (state.page) given.set("page", state.page + 1);
    if (state.open !== null) given.set("open", state.open);
    const hash = given.toString();
    if (location.hash.slice(1) !== hash) history.replaceState(null, "", hash ? "#" + hash : location.pathname + location.search);
  }

  function options() {
    for (const name of names) {
      const counts = new Map();
      data.findings.forEach((one, at) => {
        if (matches(at, name)) counts.set(facet[name](one), (counts.get(facet[name](one)) || 0) + 1);
      });
      const select = byId("filter-" + name);
      const all = [...counts.values()].reduce((sum, count) => sum + count, 0);
      const listed = [...counts].sort((a, b) => b[1] - a[1]).slice(0, 500);
      if (state[name] && !counts.has(state[name])) listed.unshift([state[name], 0]);
      select.replaceChildren(
        make("option", { value: "" }, `all (${thin(all)})`),
        ...listed.map(([value, count]) => make("option", { value }, `${value} (${thin(count)})`)),
        ...(counts.size > 500 ? [make("option", { disabled: "" }, `and ${thin(counts.size - 500)} more: use Text`)] : []),
      );
      select.value = state[name] || "";
    }
    if (byId("filter-q").value !== state.q) byId("filter-q").value = state.q;
  }

  function render() {
    matching = [];
    for (let at = 0; at < data.findings.length; at++) if (matches(at, null)) matching.push(at);
    const pages = Math.max(1, Math.ceil(matching.length / PER_PAGE));
    if (state.open !== null && matching.includes(state.open)) state.page = Math.floor(matching.indexOf(state.open) / PER_PAGE);
    else state.open = null;
    state.page = Math.min(state.page, pages - 1);
    const shown = matching.slice(state.page * PER_PAGE, (state.page + 1) * PER_PAGE);
    byId("list").replaceChildren(...shown.map(item));
    const from = shown.length ? state.page * PER_PAGE + 1 : 0;
    byId("count").textContent = `${thin(matching.length)} of ${thin(data.findings.length)} findings` +
      (pages > 1 ? `, shown: ${from} to ${from + shown.length - 1}` : "");
    byId("page-number").textContent = `Page ${state.page + 1} of ${thin(pages)}`;
    byId("back").disabled = state.page === 0;
    byId("next").disabled = state.page >= pages - 1;
    document.querySelector(".pager").hidden = pages < 2;
    options();
    write();
  }

  function item(at) {
    const one = data.findings[at];
    const severity = severities[one[0]];
    const about = [text(one[TOOL]), "boundary " + text(one[BOUNDARY]), text(one[SESSION])].filter(Boolean);
    const summary = make("summary", {},
      make("span", { class: "badge " + severity }, severity), " ", make("b", {}, text(one[CHECK])), " ",
      make("small", {}, about.join(" · ") + (one[EXHIBIT] >= 0 ? " · with text" : "")));
    const details = make("details", { "data-at": at }, summary);
    if (at === state.open) {
      details.append(inside(one));
      details.open = true;
    }
    details.addEventListener("toggle", () => {
      if (details.open && details.children.length === 1) details.append(inside(one));
      if (details.open) state.open = at;
      else if (state.open === at) state.open = null;
      write();
    });
    return make("li", {}, details);
  }

  function inside(one) {
    const rows = [];
    const add = (name, value) => value && rows.push(make("dt", {}, name), make("dd", {}, value));
    add("where", text(one[PLACE]));
    add("call", text(one[CALL]));
    for (let at = FIGURES; at < one.length; at += 2) add(text(one[at]), text(one[at + 1]));
    return make("div", { class: "inside" },
      make("p", {}, text(one[WHAT])),
      make("p", { class: "advice" }, text(one[ADVICE])),
      make("dl", {}, ...rows),
      one[EXHIBIT] >= 0 ? sides(data.exhibits[one[EXHIBIT]]) : null);
  }

  function sides(both) {
    const side = (title, size, pieces) => make("div", {},
      make("h3", {}, title + " ", make("small", {}, size)),
      pieces === null
        ? make("p", { class: "na" }, "Not recorded: only what was delivered is known.")
        : make("pre", { tabindex: "0", role: "region", "aria-label": title + " text" }, ...pieces.map(piece)));
    return make("div", { class: "sides" },
      side("Produced", both.sizes[0], both.produced),
      side("Delivered", both.sizes[1], both.delivered));
  }
  function piece([kind, words]) {
    const element = { lost: "del", added: "ins" }[kind] || "span";
    return make(element, kind === "gap" || kind === "missing" ? { class: kind } : {}, words);
  }

  function changed() {
    for (const name of names) state[name] = byId("filter-" + name).value;
    state.q = byId("filter-q").value;
    state.page = 0;
    state.open = null;
    render();
  }
  for (const name of names) byId("filter-" + name).addEventListener("change", changed);
  let waiting = null;
  byId("filter-q").addEventListener("input", () => {
    clearTimeout(waiting);
    waiting = setTimeout(changed, 120);
  });
  form.addEventListener("submit", (event) => event.preventDefault());
  form.addEventListener("reset", (event) => {
    event.preventDefault();
    state = { q: "", page: 0, open: null };
    render();
  });
  function turn(by) {
    state.page += by;
    state.open = null;
    render();
    byId("findings").scrollIntoView();
    const first = document.querySelector("#list summary");
    if (first) first.focus();
  }
  byId("back").addEventListener("click", () => turn(-1));
  byId("next").addEventListener("click", () => turn(1));

  // Keys: / goes to the search, up and down from finding to finding, Escape closes the open one.
  document.addEventListener("keydown", (event) => {
    const typing = event.target.matches("input, select, textarea");
    if (event.key === "/" && !typing && !event.ctrlKey && !event.metaKey) {
      event.preventDefault();
      byId("filter-q").focus();
    } else if (event.key === "Escape") {
      const open = event.target.closest("#list details[open]") || document.querySelector("#list details[open]");
      if (open && !typing) {
        open.open = false;
        open.querySelector("summary").focus();
      }
    } else if (["ArrowDown", "ArrowUp"].includes(event.key) && event.target.matches("#list summary")) {
      event.preventDefault();
      const all = [...document.querySelectorAll("#list summary")];
      const next = all[all.indexOf(event.target) + (event.key === "ArrowDown" ? 1 : -1)];
      if (next) next.focus();
    }
  });
  window.addEventListener("hashchange", () => {
    if (!read()) return;
    render();
    byId("findings").scrollIntoView();
  });
  const linked = read() && location.hash.length > 1;
  if (!read()) for (const name of names) state[name] = "";
  render();
  if (linked) byId("findings").scrollIntoView();
})();
