module tacho/cluster-box/images

go 1.24
