/** How long a key that is rotated still works, in seconds. */
export const overlaps = [
  { value: '0', label: 'Stop at once', hint: 'Choose this if others may know the old key.' },
  { value: '3600', label: 'One hour' },
  { value: '86400', label: 'One day' },
  { value: '604800', label: 'Seven days' },
]
