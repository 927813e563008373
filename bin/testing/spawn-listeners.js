/** Takes the place of what tap wraps around every spawn to follow the processes that tests start: it copies their environment, for longer than git needs to start. */
export default { addListener() {} }
