"use strict";
// The page reads without this: it only adds sorting by a click on a column's head, and buttons that copy a command.

const value = (row, index) => {
  const cell = row.cells[index];
  return "value" in cell.dataset ? Number(cell.dataset.value) : cell.textContent.trim().toLowerCase();
};

const sort = (table, index, falling) => {
  const body = table.tBodies[0];
  const order = (a, b) => (a < b ? -1 : a > b ? 1 : 0) * (falling ? -1 : 1);
  const rows = [...body.rows].sort((a, b) => order(value(a, index), value(b, index)));
  body.append(...rows);
};

for (const table of document.querySelectorAll("table.sortable")) {
  const heads = [...table.tHead.rows[0].cells];
  heads.forEach((head, index) => {
    const button = document.createElement("button");
    button.type = "button";
    button.append(...head.childNodes);
    head.append(button);
    button.addEventListener("click", () => {
      const number = "value" in (table.tBodies[0].rows[0]?.cells[index].dataset ?? {});
      const sorted = head.getAttribute("aria-sort");
      const falling = sorted ? sorted === "ascending" : number;
      heads.forEach((other) => other.removeAttribute("aria-sort"));
      head.setAttribute("aria-sort", falling ? "descending" : "ascending");
      sort(table, index, falling);
    });
  });
}

for (const code of document.querySelectorAll("code.command")) {
  const button = document.createElement("button");
  button.type = "button";
  button.className = "copy";
  button.textContent = "copy";
  button.addEventListener("click", async () => {
    try {
      await navigator.clipboard.writeText(code.textContent);
      button.textContent = "copied";
    } catch {
      getSelection().selectAllChildren(code);
      button.textContent = "selected";
    }
    setTimeout(() => { button.textContent = "copy"; }, 1500);
  });
  code.after(button);
}
