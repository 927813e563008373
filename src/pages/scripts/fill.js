// <input type="file" data-fill="#id">: puts the text of the chosen file into a text area.
document.addEventListener('change', async ({ target }) => {
  if (!(target instanceof HTMLInputElement) || !target.dataset.fill) return
  const area = document.querySelector(target.dataset.fill)
  const [file] = target.files ?? []

  if (file && area instanceof HTMLTextAreaElement) area.value = await file.text()
})
