// days
